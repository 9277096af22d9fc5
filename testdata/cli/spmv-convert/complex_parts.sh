#!/bin/bash
# --complex takes what is asked for of complex values, and is harmless without any.
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 -4\n' >A.mtx
spmv-convert A.mtx A.csr; echo $?
for part in real imag abs; do
    for input in A.mtx A.csr; do spmv-convert --complex $part $input - --to mtx | tail -1; done
    spmv-convert --complex $part "$TESTDATA/good/worked.mtx" - --to csr | cmp - "$TESTDATA/good/worked.csr"
done
# Of a triangle the diagonal stays, as it does when the other half is there.
printf '%%%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 2\n' >H.mtx
for part in real imag abs; do
    spmv-convert H.mtx --to csr - | spmv-convert --complex $part - --to mtx |
        cmp - <(spmv-convert --complex $part H.mtx --to mtx) && spmv-convert --complex $part H.mtx --to mtx | sed -n 2p
done
