#!/bin/bash
# A folder that is not there is noticed before any work, whichever output it is for: no other one is left behind.
cp "$TESTDATA/good/worked.mtx" A.mtx
cp "$TESTDATA/graphs/house_edges.wel" A.wel
spmv-run A.mtx -o y.mtx --json no/x.json; echo $?
spmv-run A.mtx -o no/y.mtx --json x.json; echo $?
spmv-convert A.wel A.csr --map no/map.txt; echo $?
spmv-convert A.wel A.csr --json no/x.json; echo $?
spmv-pagerank A.wel -o scores.txt --plot no/plot.svg; echo $?
spmv-pagerank A.wel -o scores.txt --json no/x.json; echo $?
spmv-spgemm A.mtx A.mtx --transpose-b -o C.mtx --json no/x.json; echo $?
spmv-gen stencil5:grid=3 -o G.mtx --json no/x.json; echo $?
spmv-bench A.mtx -o results.jsonl --json no/x.json; echo $?
# One that cannot be written into is the same.
mkdir folder && touch file
spmv-run A.mtx -o y.mtx --json file/x.json; echo $?
ls
