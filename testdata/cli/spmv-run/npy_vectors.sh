#!/bin/bash
# x and y as NumPy arrays.
printf '1\n2\n3\n4\n' >x.txt
spmv-run "$TESTDATA/good/worked.csr" -x x.txt -o y.npy
head -c 80 y.npy | tail -c 70
echo
spmv-run "$TESTDATA/good/worked.csr" --transpose -x y.npy
cp "$TESTDATA/npz/column.npy" .
spmv-run "$TESTDATA/good/worked.csr" -x column.npy
