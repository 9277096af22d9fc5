#!/bin/bash
# All scores in a pipe, as text, as a vector and in single precision; the best ones beside a file.
graph=$TESTDATA/graphs/karate.mtx
spmv-pagerank "$graph" | head -2 | awk '{ printf "%s %.12f\n", $1, $2 }'
spmv-pagerank "$graph" -o scores.txt --top 2
spmv-pagerank "$graph" -o scores.mtx
cmp <(spmv-pagerank "$graph") scores.txt
head -2 scores.mtx
spmv-pagerank "$graph" -o scores.npy && spmv-convert scores.npy - --to mtx | sed -n 2p
spmv-pagerank "$graph" -o scores.csr; echo $?
spmv-pagerank "$graph" --precision f32 -o f32.txt
awk '{ s += $2; if (length($2) > 12) print } END { print (s < 1 + 1e-6 && s > 1 - 1e-6) }' f32.txt
cmp <(cut -d ' ' -f 2 scores.txt) <(tail -n +3 scores.mtx) && awk '{ s += $2 } END { printf "%.12f\n", s }' scores.txt
