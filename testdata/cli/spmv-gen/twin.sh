#!/bin/bash
# A twin has the rows of its model, but not its columns; from any format, for any number of threads.
spmv-gen powerlaw:rows=300,per-row=5 -o A.mtx && spmv-convert A.mtx A.csc
spmv-gen --like A.mtx --seed 1 -o B.mtx
spmv-gen --like A.csc --seed 1 --threads 3 -o C.mtx && cmp B.mtx C.mtx
lengths() { awk 'NR > 2 { n[$1]++ } END { for (r in n) print r, n[r] }' "$1" | sort -n; }
cmp <(head -2 A.mtx) <(head -2 B.mtx) && cmp <(lengths A.mtx) <(lengths B.mtx) && echo the same rows
cmp -s <(cut -d ' ' -f 2 A.mtx) <(cut -d ' ' -f 2 B.mtx) || echo other columns
