#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The README's block, taken from the README, compiled with the README's command, run in the README's flowgraph.
# usage: readme_block.sh SOURCE_DIR GNOMON
set -eu
root=$1 gnomon=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '1d;$d' >"$dir/gain.c"
lines=$(wc -l <"$dir/gain.c")
[ "$lines" -gt 10 ] && [ "$lines" -le 30 ] || { echo "the block has $lines lines"; exit 1; }
grep '^cc -O2 -shared' "$root/README.md" | sed "s#sdk/include#$root/sdk/include#" >"$dir/build"
(cd "$dir" && sh -e build)
grep '^GNOMON_PLUGIN_PATH=' "$root/README.md" | sed "s#build/gnomon#$gnomon#" >"$dir/run"
(cd "$dir" && sh -e run)
GNOMON_PLUGIN_PATH=$dir "$gnomon" inspect my.gain | grep -q 'multiply by a constant'
