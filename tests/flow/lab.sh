#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: lab.sh GNOMON WORKDIR: a scenario is as demanded, gives the same card for any number of workers, and
# mistakes have their exit codes.
set -eu
gnomon=$1 work=$2/lab
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "lab.sh: $1" >&2
    exit 1
}

"$gnomon" lab list | grep -q '^clean ' || fail "lab list does not name clean"
"$gnomon" lab run jam-pulse --json --workers 1 --svg "$work" >"$work/a.json" || fail "not as demanded"
"$gnomon" lab run jam-pulse --json --workers 3 >"$work/b.json" || fail "not as demanded the second time"
cmp "$work/a.json" "$work/b.json" || fail "the cards differ"
python3 -c 'import json, sys; c = json.load(open(sys.argv[1])); assert all(x["passed"] and x["detected"] for x in c)' \
    "$work/a.json" || fail "the card says otherwise"
grep -q '</svg>' "$work/jam-pulse.svg" || fail "no picture"
# a known fault: on the present simulator meaconing is found too late (docs/lab.md). Once it is found in time, demand it above
code=0
"$gnomon" lab run meaconing >/dev/null || code=$?
[ "$code" = 7 ] || fail "meaconing ends with $code: was 7, not as demanded"
code=0
"$gnomon" lab run meaconig 2>"$work/err" || code=$?
[ "$code" = 2 ] || fail "an unknown scenario ends with $code"
grep -q "did you mean 'meaconing'" "$work/err" || fail "no suggestion"
code=0
"$gnomon" lab run clean --scenarios "$work/nowhere" 2>/dev/null || code=$?
[ "$code" = 2 ] || fail "a missing folder ends with $code"
