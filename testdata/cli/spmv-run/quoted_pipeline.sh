#!/bin/bash
# The pipeline of the manual; with the kernel of a GPU where there is none it is refused.
gzip -c "$TESTDATA/good/worked.mtx" >big.mtx.gz
zcat big.mtx.gz | spmv-convert - --to csr - | spmv-run -q - --kernel cpu-csr > y.mtx
echo "${PIPESTATUS[@]}"
cat y.mtx
spmv-run --list-devices | grep -qE "^[0-9]" && exit
zcat big.mtx.gz | spmv-convert - --to csr - | spmv-run -q - --kernel csr-merge > z.mtx
echo "${PIPESTATUS[2]}"
