#!/bin/bash
# SciPy's files in and out: the arrays keep their format, other formats become CSR.
spmv-convert --list-formats | grep -q '^npz *rw' || exit 77
for name in csr csc coo logical single; do
    spmv-convert "$TESTDATA/npz/$name.npz" $name.npz && spmv-convert --info $name.npz | head -n 2
done
spmv-convert csr.npz a.ell && spmv-convert a.ell b.npz && cmp csr.npz b.npz && echo same
spmv-convert "$TESTDATA/good/pattern_symmetric.mtx" --symmetric keep - --to npz | spmv-convert - - --to mtx
cp "$TESTDATA"/npz/{complex,pickled,index_outside}.npz .
spmv-convert complex.npz z.csc && spmv-convert z.csc - --to mtx | tail -n 1
spmv-convert complex.npz --complex imag - --to mtx | tail -n 1
spmv-convert --check {pickled,index_outside,csr}.npz
