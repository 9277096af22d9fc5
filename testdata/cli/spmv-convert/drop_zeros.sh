#!/bin/bash
# Stored zeros stay, unless they are to go.
printf '%%%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 0\n1 2 5\n' >A.mtx
spmv-convert A.mtx - --to mtx
spmv-convert A.mtx A.csr
spmv-convert A.csr - --to mtx --drop-zeros
