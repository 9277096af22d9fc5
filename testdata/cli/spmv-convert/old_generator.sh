#!/bin/bash
# Indices from 0 and holes marked by -1, as old generators write them.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n0 0 1\n-1 1 2\n1 1 3\n' >A.mtx
spmv-convert A.mtx A.csr; echo $?
spmv-convert --index-base 0 A.mtx A.csr; echo $?
spmv-convert --index-base 0 --skip-invalid A.mtx - --to mtx
