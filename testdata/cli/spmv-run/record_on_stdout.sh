#!/bin/bash
# --json - has standard output for itself: in every tool it is one document, and the result is not printed.
cp "$TESTDATA/graphs/karate.mtx" A.mtx
alone() { "$@" --json - | python3 -c 'import json, sys; json.load(sys.stdin)' && echo "$*"; }
alone spmv-run -q A.mtx
alone spmv-run --list-kernels
alone spmv-run --list-devices
alone spmv-bench -q A.mtx --kernel cpu-csr --min-time 0.001
alone spmv-bench -q A.mtx --kernel cpu-csr --min-time 0.001 --format csv
alone spmv-bench -q A.mtx --kernel cpu-csr --min-time 0.001 --summary
alone spmv-pagerank A.mtx
alone spmv-pagerank A.mtx --top 3
alone spmv-pagerank A.mtx --sort score -o scores.txt
alone spmv-spgemm A.mtx
alone spmv-spgemm A.mtx --estimate
alone spmv-gen stencil5:3
alone spmv-gen --list-kinds
alone spmv-convert A.mtx
alone spmv-convert --info A.mtx
alone spmv-convert --check A.mtx
alone spmv-convert --list-formats
# Where - is given as an output the result is not printed either, and one warning says so.
told() { alone "$@" 2>said; grep warning said; }
told spmv-run A.mtx -o -
told spmv-bench A.mtx --kernel cpu-csr --min-time 0.001 -o -
told spmv-pagerank A.mtx -o -
told spmv-pagerank A.mtx -o - --top 3
told spmv-pagerank A.mtx --plot -
told spmv-spgemm A.mtx -o -
told spmv-gen stencil5:3 -o -
told spmv-convert A.mtx -o -
told spmv-convert A.mtx - --map -
