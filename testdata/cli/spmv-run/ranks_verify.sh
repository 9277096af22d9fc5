#!/bin/bash
# Several processes verify, multiply with several vectors, and write a record, as one does.
has_ranks || exit 77
spmv-gen rmat --scale 9 --values random -o A.csr
spmv-gen uniform --rows 900 --cols 700 --per-row 6 --values random -o B.mtx
for p in 2 3 4 7; do # one after the other, with other bits than one process has that takes all at once
    on_ranks "$p" spmv-run A.csr -x random --vectors 3 --verify -q --force -o "$p.npy" && cmp 2.npy "$p.npy" &&
        echo "$p: verified, and the same"
done
on_ranks 3 spmv-run B.mtx --transpose --precision f32 -x random --verify -o y.mtx 2>&1 | grep -o '^spmv-run: verified'
on_ranks 2 spmv-run B.mtx --beta 1-i --alpha 2 --verify --repeat 3 -o z.mtx 2>&1 | grep -o '^spmv-run: verified'
on_ranks_from B.mtx 3 spmv-run - -x random --verify --force -o w.mtx 2>&1 | grep -o '^spmv-run: verified'

# The record, of a matrix that all have read and of one that rank 0 has read.
on_ranks 3 spmv-run A.csr --json read.json -o /dev/null
on_ranks 4 spmv-run B.mtx --vectors 2 --verify --partition rows --repeat 2 -q --json - >spread.json
"$ROOT/scripts/check-json" read.json spread.json
echo "check-json: $?"
spmv-run A.csr -k cpu-csr --json one.json -o /dev/null
shape() { grep -o '"\(rows\|cols\|nnz\|min\|max\|empty\)":[^,}]*' "$1" | head -6; }
tr -d ' \n\t' <read.json >read.flat && tr -d ' \n\t' <one.json >one.flat && tr -d ' \n\t' <spread.json >spread.flat
cmp <(shape one.flat) <(shape read.flat) && echo 'the rows of one process'
grep -o '"pass":true' spread.flat
grep -o '"distribution":{"ranks":[0-9]*,"partition":"[a-z]*"' read.flat spread.flat

# What --model says of the ranks is what they have.
counts() { grep -o '"ranks":\[.*\]' "$1" | grep -o '"\(rank\|rows\|nnz\|received\|sent\|neighbours\|receivers\)":[0-9]*'; }
for p in 2 3 4 7; do
    for by in nnz rows; do
        on_ranks "$p" spmv-run A.csr --json run.json --force --partition $by -q -o /dev/null
        spmv-bench A.csr --model "$p,1us,1GB,1GB" --partition $by --format jsonl >model.json
        tr -d ' \n\t' <run.json >run.flat && cmp <(counts run.flat) <(counts model.json) && echo "$p by $by: as predicted"
    done
done

# The simple scheme: x to all, and sums back.
spmv-gen skew --rows 2000 --values random -o skew.csr
for p in 2 3 7; do
    on_ranks "$p" spmv-run skew.csr -x random --partition nonzeros --verify --json simple.json --force -o "y$p.mtx" 2>&1 |
        grep -o '^spmv-run: verified'
    "$ROOT/scripts/check-json" simple.json && tr -d ' \n\t' <simple.json | grep -o '"partition":"nonzeros","imbalance":1'
done
on_ranks 3 spmv-run skew.csr -x random --partition nonzeros --transpose --beta 2 -y y2.mtx --precision f32 --verify -o v.mtx 2>&1 |
    grep -o '^spmv-run: verified'
