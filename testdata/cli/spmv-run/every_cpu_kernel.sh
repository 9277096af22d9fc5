#!/bin/bash
# Every CPU kernel gives the same y.
spmv-run --list-kernels | awk '$2 == "cpu" { print $1 }' >kernels
while read -r kernel; do
    spmv-run "$TESTDATA/good/worked.mtx" -x index --device cpu -k "$kernel" --verify | cmp - <(spmv-run "$TESTDATA/good/worked.mtx" -x index)
done <kernels 2>errors
grep -vc '^spmv-run: verified: max abs error 0, max rel error 0, at most 0 of what rounding may do$' errors
wc -l <errors | cmp - <(wc -l <kernels)
