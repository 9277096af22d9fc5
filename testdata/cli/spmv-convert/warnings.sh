#!/bin/bash
# Warnings go to standard error; -q silences them, --strict makes errors of those about what is read, and of no others.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1 \n1 1 2\n' >A.mtx
printf '%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n' >B.mtx
spmv-convert B.mtx B.csr; echo $?
spmv-convert -q B.mtx B.csr --force; echo $?
spmv-convert --strict B.mtx C.csr; echo $?
printf '0 5\n5 9\n' >D.el
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e300\n' >E.mtx
spmv-convert --strict D.el D.mtx; echo $?
spmv-convert --strict E.mtx --values f32 E.csr; echo $?
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n' | spmv-convert --skip-invalid - --to mtx >out.mtx
