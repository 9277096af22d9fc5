#!/bin/bash
# All scores in a pipe, as text and as Matrix Market; the best ones beside a file.
graph=$TESTDATA/graphs/karate.mtx
spmv-pagerank "$graph" | head -2
spmv-pagerank "$graph" -o scores.txt --top 2
spmv-pagerank "$graph" -o scores.mtx
cmp <(spmv-pagerank "$graph") scores.txt
head -2 scores.mtx
cmp <(cut -d ' ' -f 2 scores.txt) <(tail -n +3 scores.mtx) && awk '{ s += $2 } END { printf "%.12f\n", s }' scores.txt
