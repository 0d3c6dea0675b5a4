# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
# osnma_form.sh GNOMON WRITE_PAGES DATA FORM: six minutes of pages, in another form, over standard input, are worth the
# same tags as the rows they were made from.
gnomon=$1 write=$2 data=$3 form=$4
want=$("$gnomon" osnma run "$data/quick_6min_e1.csv" --keys "$data/keys.json#live_current_config" \
    --trusted-time recording --json -q)
if [ "$form" = csv ]; then
    got=$(gzip -c "$data/quick_6min_e1.csv" | "$gnomon" osnma run - --format csv \
        --keys "$data/keys.json#live_current_config" --trusted-time recording --json -q)
else
    got=$("$write" "$form" "$data/quick_6min_e1.csv" | "$gnomon" osnma run - \
        --keys "$data/keys.json#live_current_config" --trusted-time recording --json -q)
fi
echo "$got"
case $got in *'"0": {"authentic": 191, "forged": 0'*) ;; *) exit 1 ;; esac
[ "$got" = "$want" ]
