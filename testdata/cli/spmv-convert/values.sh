#!/bin/bash
# The type of the values can be changed; --precision does the same.
for values in f32 f64 pattern keep; do
    spmv-convert "$TESTDATA/good/worked.mtx" A.csr --force --values $values
    spmv-convert --info A.csr | head -1
done
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --force --precision f32
spmv-convert --info A.csr | head -1
