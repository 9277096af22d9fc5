#!/bin/bash
# NumPy's dense matrices: read without their zeros, written with them.
spmv-convert "$TESTDATA/npz/dense_fortran.npy" - --to mtx
spmv-convert "$TESTDATA/npz/dense_fortran.npy" a.npy && cmp a.npy "$TESTDATA/npz/dense.npy" && echo same
spmv-convert "$TESTDATA/good/worked.csr" --values pattern b.npy && spmv-convert --info b.npy | head -n 2
spmv-convert "$TESTDATA/good/rows_beyond_memory.mtx" c.npy 2>&1 | grep -o 'a dense array needs'
cp "$TESTDATA/npz/cube.npy" .
spmv-convert cube.npy c.mtx
