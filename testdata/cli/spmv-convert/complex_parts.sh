#!/bin/bash
# --complex takes what is asked for of complex values.
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 -4\n' >A.mtx
spmv-convert A.mtx A.csr; echo $?
for part in real imag abs; do spmv-convert --complex $part A.mtx - --to mtx | tail -1; done
