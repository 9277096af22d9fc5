#!/bin/bash
# A binary file that holds one triangle stands for the whole matrix.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 5\n' >A.mtx
spmv-convert --symmetric keep A.mtx A.csr
spmv-run A.csr
