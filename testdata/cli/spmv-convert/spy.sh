#!/bin/bash
# --spy draws a small matrix with a square for every entry: always the same bytes.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr
spmv-convert A.csr --spy A.svg && cat A.svg
spmv-convert --spy - A.csr | cmp - A.svg
spmv-convert A.csr --spy A.svg || spmv-convert A.csr --spy A.svg --force
