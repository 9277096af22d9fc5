#!/bin/bash
# --device all, on emulated GPUs: the bytes of the CPU with any number of them, more than rows too.
command -v spmv-spgemm-emulated >/dev/null || exit 77
multiply() { spmv-spgemm-emulated "$@" --device all 2>errors; } # fibers annoy ASan
spmv-gen rmat:scale=9,seed=5 --values random -o A.csr
spmv-gen stencil5 --grid 14 -o grid.csr
for n in 1 2 3 7; do
    export EMULATED_GPUS=$n
    multiply "$TESTDATA/good/worked.mtx" --transpose-b | cmp - <(spmv-spgemm "$TESTDATA/good/worked.mtx" --transpose-b)
    multiply A.csr --top 4 | cmp - <(spmv-spgemm A.csr --top 4)
    multiply grid.csr -v --repeat 2 -o grid.mtx --force --json record.json && cmp grid.mtx <(spmv-spgemm grid.csr)
    sed -nE 's/.*(on [^,]*), .*/\1/p; s/.*: (GPU [0-9]: .* products) in .*; (.* of B); A and B up.*/\1, \2/p
        s/.*: (most products)/\1/p' errors
    "$ROOT/scripts/check-json" record.json
    python3 -c 'import json; print(json.load(open("record.json"))["device"]["name"])'
done
EMULATED_MEMORY=3000000 multiply A.csr | cmp - <(spmv-spgemm A.csr) # little more than one room for rows
EMULATED_MEMORY=20000 multiply A.csr
echo $?
tail -n 1 errors
multiply A.csr --serial
echo $?
grep serial errors
