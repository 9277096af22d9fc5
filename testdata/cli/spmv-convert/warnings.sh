#!/bin/bash
# Warnings go to standard error; -q silences them, --strict makes them errors.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1 \n1 1 2\n' >A.mtx
printf '%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n' >B.mtx
spmv-convert B.mtx B.csr; echo $?
spmv-convert -q B.mtx B.csr --force; echo $?
spmv-convert --strict B.mtx C.csr; echo $?
