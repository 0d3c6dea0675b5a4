# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
# osnma_keys.sh GNOMON VECTORS: import into a new file, what list says about it, refusals leave it alone.
gnomon=$1 vectors=$2
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
cd "$d" || exit 1
fail() {
    echo "failed: $1"
    exit 1
}
"$gnomon" osnma keys import "$vectors"/OSNMA_MerkleTree_*.xml "$vectors"/*.crt || fail import
"$gnomon" osnma keys list | tee list || fail list
grep -q 'Merkle root      832e15ede55655eac6e399a539477b7c034cce24c3c93ffc904acd9bf842f04e' list || fail root
grep -q '^start: warm' list || fail start
grep -q 'missing: a stored KROOT' list || fail missing
cp keys.json before
"$gnomon" osnma keys import "$vectors/OSNMA_PublicKey_2.xml" "$vectors/README.md" 2>err && fail "took a text"
grep -q 'README.md: neither XML, PEM nor a certificate' err || fail words
cmp keys.json before || fail "a refused import changed the file"
"$gnomon" osnma keys import "$vectors/OSNMA_PublicKey_PKID_7.xml" --into sets.json#old 2>err || fail set
grep -q "says 'Renewed'" err || fail state
"$gnomon" osnma keys list sets.json#old | grep -q 'missing: the Merkle root' || fail "missing root"
"$gnomon" osnma keys list sets.json#none 2>err && fail "no such set"
"$gnomon" osnma keys import "$vectors/OSNMA_PublicKey_2.xml" --into /nonexistent/x.json 2>err
[ $? = 8 ] || fail "exit code of a file that cannot be written"
"$gnomon" osnma keys lost 2>err
[ $? = 2 ] || fail usage
