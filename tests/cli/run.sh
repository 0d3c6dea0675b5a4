#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
# Exit codes and streams of `gnomon run` and its neighbours. usage: run.sh GNOMON BLOCKS_DIR SDK
gnomon=$1 blocks=$2 sdk=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n_bad=0

# expect CODE WORDS COMMAND...: the exit code, and words on stdout or stderr
expect() {
    want=$1 words=$2
    shift 2
    "$@" >"$dir/out" 2>&1
    got=$?
    if [ "$got" -ne "$want" ] || { [ -n "$words" ] && ! grep -q -e "$words" "$dir/out"; }; then
        echo "FAILED: exit $got (not $want), or no '$words' in the output of: $*"
        cat "$dir/out"
        n_bad=$((n_bad + 1))
    fi
}

short='std.null_source length=1000 > std.null_sink'
expect 0 'lost: 0 samples' "$gnomon" run "$short"
expect 0 '' "$gnomon" run -q "$short"
[ -s "$dir/out" ] && { echo "FAILED: -q is not quiet"; n_bad=$((n_bad + 1)); }
expect 0 '"event":"run.end"' "$gnomon" run -q --jsonl - "$short"
expect 0 '' "$gnomon" run -q --jsonl "$dir/log" "$short"
tail -1 "$dir/log" | grep -q run.end || { echo "FAILED: no run.end"; n_bad=$((n_bad + 1)); }
expect 0 '' "$gnomon" run -q --workers 2 --shuffle 7 "$short"
expect 2 'takes a whole number' "$gnomon" run --workers many "$short"
expect 2 "did you mean 'run'" "$gnomon" rnu "$short"
expect 2 "did you mean '--workers'" "$gnomon" run --worker 2 "$short"
expect 2 'usage: gnomon inspect' "$gnomon" inspect std.copy std.gain
expect 2 "did you mean 'std.copy'" "$gnomon" inspect std.cpy
expect 2 'cannot be read' "$gnomon" run "$dir/none.yaml"
expect 2 'must be auto\|takes auto or portable' "$gnomon" run --kernels fast "$short"
expect 3 'No such file' "$gnomon" run "frontend.file path=$dir/none format=ci8 rate=1e6 > std.null_sink"
expect 4 'fixes.source fail=yes' "$gnomon" run 'fixes.source fail=yes > std.null_sink'
expect 4 '^command line:1:19: error: source.fail: it was asked to' "$gnomon" run 'fixes.source fail=yes > std.null_sink'
: >"$dir/broken.so"
expect 5 'cannot be used' env GNOMON_PLUGIN_PATH="$dir" "$gnomon" run 'broken.block > std.null_sink'
expect 6 'no position' "$gnomon" run --require-fix 'fixes.source > std.null_sink'
expect 0 'fix with 5' "$gnomon" run --require-fix 'fixes.source fix=yes > std.null_sink'
expect 7 'no authenticated solution' "$gnomon" run --require-fix --require-auth 'fixes.source > std.null_sink'
expect 7 'no authenticated solution' "$gnomon" run --require-auth 'fixes.source fix=yes > std.null_sink'
expect 0 'authenticated' "$gnomon" run --require-auth 'fixes.source fix=yes auth=yes > std.null_sink'
expect 7 'forged' "$gnomon" run --require-auth 'fixes.source fix=yes auth=yes forged=yes > std.null_sink'
expect 8 'cannot be written' "$gnomon" run --jsonl "$dir/no/log" "$short"
expect 8 'could not be written' "$gnomon" run --jsonl /dev/full "$short"
expect 8 'cannot be written' sh -c "'$gnomon' list >/dev/full"
expect 130 'ending here' timeout --preserve-status -s INT 3 "$gnomon" run 'std.null_source > std.null_sink'
expect 130 '' timeout --preserve-status -s TERM 3 "$gnomon" run -q --jsonl "$dir/log" 'std.null_source > std.null_sink'
tail -1 "$dir/log" | grep -q run.end || { echo "FAILED: no run.end after an interrupt"; n_bad=$((n_bad + 1)); }
# until WHAT COMMAND...: up to 20 s, however busy the machine is
until_true() {
    what=$1
    shift
    for _ in $(seq 200); do
        "$@" && return 0
        sleep 0.1
    done
    echo "FAILED: waited in vain: $what"
    n_bad=$((n_bad + 1))
}
listens() { # bit 1 of SigBlk: SIGINT is the listener's
    mask=$(sed -n 's/^SigBlk:.*\(.\)$/\1/p' "/proc/$1/status" 2>/dev/null)
    case "$mask" in [2367abef]) return 0 ;; *) return 1 ;; esac
}
has_said() { grep -q 'once more' "$dir/out"; }
# a signal sent twice at once, as timeout(1) does to a process and its group, is one wish: the log is whole
"$gnomon" run -q --jsonl "$dir/log" 'std.null_source > std.null_sink' 2>"$dir/out" &
pid=$!
until_true 'listening' listens "$pid"
kill -TERM "$pid"
until_true 'the first signal heard' has_said
kill -TERM "$pid" 2>/dev/null
wait "$pid"
got=$?
[ "$got" -eq 130 ] && tail -1 "$dir/log" | grep -q run.end || { echo "FAILED: exit $got, no run.end after two at once"; n_bad=$((n_bad + 1)); }
# a driver that hangs: the first signal is heard, the second ends the program at once
for where in start work; do
    : >"$dir/out"
    "$gnomon" run "fixes.source stuck=$where > std.null_sink" 2>"$dir/out" &
    pid=$!
    until_true "listening, $where" listens "$pid"
    kill -INT "$pid"
    until_true "interrupt in $where heard" has_said
    sleep 0.5 # a wish of its own
    kill -INT "$pid"
    (sleep 20; kill -KILL "$pid" 2>/dev/null) &
    guard=$!
    wait "$pid"
    got=$?
    kill "$guard" 2>/dev/null
    [ "$got" -eq 130 ] || { echo "FAILED: exit $got after two interrupts in $where"; n_bad=$((n_bad + 1)); }
done
expect 0 'kernels.*correlator=' "$gnomon" version --verbose
expect 0 '"kernels":"auto: correlator=' "$gnomon" run -q --jsonl - "$short"
expect 0 '"kernels":"portable: correlator=portable' "$gnomon" run -q --kernels portable --jsonl - "$short"
# the man page names every command and option
expect 0 '^.SH EXIT STATUS' "$gnomon" help --man
sed 's/\\//g' "$dir/out" >"$dir/man"
for command in $("$gnomon" --help | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    grep -q "^.SS gnomon $command" "$dir/man" || { echo "FAILED: no $command in the man page"; n_bad=$((n_bad + 1)); }
    for option in $("$gnomon" "$command" --help | sed -n 's/^  .*\(--[a-z-]*\) .*/\1/p'); do
        grep -q -e "$option" "$dir/man" || { echo "FAILED: no $option in the man page"; n_bad=$((n_bad + 1)); }
    done
done
expect 0 'ABI' "$gnomon" version --verbose
expect 0 '"formats"' "$gnomon" inspect std.copy --json
expect 0 'digraph' "$gnomon" draw --format dot "$short"
expect 0 '</svg>' "$gnomon" draw "$short"
expect 0 'usage: gnomon run' "$gnomon" run --help
expect 0 'Exit codes' "$gnomon" --help
expect 0 '1 blocks' "$gnomon" check-plugin "$blocks/fixes.so"
expect 5 'file too short' "$gnomon" check-plugin "$dir/broken.so"
expect 5 'crashes while it is loaded' "$gnomon" check-plugin "$blocks/crash/crash.so"
expect 2 'lower-case' "$gnomon" new-plugin ../Evil
cd "$dir" || exit 1
expect 0 'mine.c' "$gnomon" new-plugin mine
expect 8 'File exists' "$gnomon" new-plugin mine
expect 0 '' cc -O2 -shared -fPIC -fvisibility=hidden -I "$sdk" mine.c -o mine.so
expect 0 'lost: 0' env GNOMON_PLUGIN_PATH=. "$gnomon" run 'std.null_source length=1000000 > mine.gain gain=2 > std.null_sink'
expect 0 '1 blocks' "$gnomon" check-plugin ./mine.so
exit "$n_bad"
