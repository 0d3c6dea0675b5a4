# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
# osnma_explain.sh GNOMON DATA: a tree, its bundle, and a stranger's check of it.
gnomon=$1 data=$2 keys=$2/keys.json
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
cd "$d" || exit 1
fail() {
    echo "failed: $1"
    exit 1
}
"$gnomon" osnma explain E15@1372:480180#2 "$data/quick_6min_e1.csv" --keys "$keys#live_current_config" --sent-only \
    --bundle b.json >tree || fail explain
for node in key macseq data tag nmas kroot signature public-key; do
    grep -q "^  +-- $node: authentic" tree || fail "node $node"
done
"$gnomon" osnma verify b.json --keys "$keys#live_current_config" || fail verify
"$gnomon" osnma verify b.json >out 2>err
[ $? = 7 ] || fail "authentic without anchors"
grep -q "nobody here vouches" err || fail words
"$gnomon" osnma verify b.json --keys "$keys#icd_configuration_2" >out 2>err
[ $? = 7 ] || fail "authentic under a stranger's keys"
sed 's/"content": "./"content": "f/' b.json >forged.json
"$gnomon" osnma verify forged.json --keys "$keys#live_current_config" >out 2>err
[ $? = 7 ] || fail "changed content"
grep -q "tag: forged (mac)" out || fail "verdict of changed content"
head -c 3000 b.json >cut.json
"$gnomon" osnma verify cut.json --keys "$keys#live_current_config" >out 2>err
[ $? = 3 ] || fail "cut off"
grep -q "cut.json:[0-9]*:" err || fail "place of the damage"
# the public key sent by the satellites, up to the Merkle root: no key of ours is needed
printf '{"merkle_root": "a10c440f3aa62453526db4af76df8d9410d35d8277397d7053c700d192702b0d"}' >root.json
"$gnomon" osnma explain E02@1248:345990#1 "$data/icd_configuration_2.csv.gz" --keys root.json --sent-only --bundle p.json >tree ||
    fail "explain by root"
grep -q "^  +-- merkle: authentic" tree || fail merkle
"$gnomon" osnma verify p.json --keys root.json || fail "verify by root"
"$gnomon" osnma explain E15@1372 "$data/quick_6min_e1.csv" 2>err
[ $? = 2 ] || fail usage
"$gnomon" osnma explain E36@1:30 "$data/quick_6min_e1.csv" --keys "$keys#live_current_config" 2>err
[ $? = 3 ] || fail "a sub-frame that is not there"
