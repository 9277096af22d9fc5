#!/bin/bash
# A pipe, or a file on standard input, is the matrix that no operand names; /dev/null is not meant.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 1 4\n' >A.mtx
printf '1 2\n2 1\n' >G.txt
spmv-run <A.mtx
gzip -c A.mtx | spmv-run -x index
spmv-convert --info <A.mtx | head -n 1
spmv-convert <A.mtx --to mtx
spmv-bench <A.mtx --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format csv | cut -d , -f 1-2
spmv-pagerank <G.txt
spmv-run </dev/null 2>/dev/null; echo $?
spmv-run -q </dev/null; echo $?
spmv-gen <A.mtx; echo $?
spmv-spgemm <A.mtx; echo $?
