# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
# osnma_generate.sh GNOMON SOURCE PYTHON NAME=VALUE...: a generated stream, authenticated by us and by the second opinion.
gnomon=$1 source=$2 python=$3
shift 3
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
"$python" -c 'import cryptography' 2>/dev/null || {
    echo "not run: python3-cryptography is not there"
    exit 77
}
set -- $(for p; do printf ' -p %s' "$p"; done)
"$gnomon" run "$source/flowgraphs/osnma-generate.yaml" -p out="$d/p.csv" -p keys_out="$d/k.json" -q "$@" || exit 1
"$gnomon" osnma run "$d/p.csv" --keys "$d/k.json" --allow-test-keys --trusted-time recording --jsonl "$d/log" || exit 1
"$python" "$source/tests/cli/osnma_check.py" "$d/p.csv" "$d/k.json" "$d/log"
