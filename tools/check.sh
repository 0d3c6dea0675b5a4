#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a reviewer would run. usage: tools/check.sh [format|gcc|clang|asan|tsan|tidy|cppcheck|fuzz]...  (none: all)
set -eu
cd "$(dirname "$0")/.."
sources() { git ls-files 'sdk/*.h' 'core/*.[ch]' 'lib/*.[ch]' 'plugins/*.[ch]' 'cli/*.[ch]' 'tests/*.[ch]' 'bench/*.c'; }
ours() { git ls-files 'core/*.c' 'lib/*.c' 'plugins/*.c' 'cli/*.c'; }

format() { sources | xargs clang-format-14 --dry-run --Werror; }
gcc() { cmake --preset dev -G Ninja >/dev/null && cmake --build --preset dev && ctest --preset dev -LE 'slow|peer'; }
clang() { cmake -S . -B build/clang -G Ninja -DCMAKE_C_COMPILER=clang -DGN_WERROR=ON >/dev/null && cmake --build build/clang; }
asan() { ./scripts/test asan; }
tsan() { ./scripts/test tsan; }
tidy() { cmake --preset dev -G Ninja >/dev/null && ours | xargs clang-tidy-14 --quiet -p build/dev; }
cppcheck() {
    cmake --preset dev -G Ninja >/dev/null
    command cppcheck --project=build/dev/compile_commands.json --std=c11 -q --inline-suppr -i build \
        --enable=warning,style,performance,portability --suppress=missingIncludeSystem --error-exitcode=1
}
fuzz() {
    cmake --preset fuzz -G Ninja >/dev/null && cmake --build --preset fuzz
    for target in build/fuzz/tests/fuzz/fuzz_*; do
        [ -x "$target" ] && [ -f "$target" ] || continue
        "$target" -max_total_time=10 -print_final_stats=1
    done
}

[ $# -gt 0 ] || set -- format gcc clang asan tsan tidy cppcheck fuzz
for step in "$@"; do
    echo "== $step"
    $step
done
