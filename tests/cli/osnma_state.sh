# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
# osnma_state.sh GNOMON DATA: kept over a restart; a damaged or foreign file is a colder start with a reason.
gnomon=$1 data=$2 keys=$2/keys.json
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
cd "$d" || exit 1
fail() {
    echo "failed: $1"
    cat log
    exit 1
}
run() {
    "$gnomon" osnma run "$data/quick_6min_e1.csv" --keys "$1" --trusted-time recording --state "$2" --json -v >out 2>log
}
want='"0": {"authentic": 191, "forged": 0'
run "$keys#live_current_config" state || fail "first run"
[ -s state ] || fail "nothing kept"
cp state first
run "$keys#live_current_config" state || fail "second run"
grep -q "state state: hot start" log || fail "not hot"
grep -q "$want" out || fail "other verdicts after a hot start"
cmp state first || fail "the same sky left another state"
printf 'x' | dd of=state bs=1 seek=60 conv=notrunc 2>dd
run "$keys#live_current_config" state || fail "a damaged file ended the run"
grep -q "state state is refused: its checksum does not fit: it is damaged; warm start" log || fail "reason of the refusal"
grep -q "$want" out || fail "other verdicts after a refused file"
cmp state first || fail "a good state was not written again"
printf '\002' | dd of=state bs=1 seek=8 conv=notrunc 2>dd
run "$keys#live_current_config" state || fail "another version"
grep -q "it is of version 2" log || fail "reason: version"
run "$keys#icd_configuration_2" first || fail "other anchors"
grep -q "start; no public key of yours signed the kept root key" log || fail "reason: other anchors"
run "$keys#live_current_config" /nonexistent/state || fail "a folder that is not there"
grep -q "the state is not kept: /nonexistent/state.new: cannot be made" log || fail "reason: no folder"
