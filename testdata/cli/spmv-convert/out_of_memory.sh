#!/bin/bash
# A matrix that cannot be held is refused before it is allocated.
printf '%%%%MatrixMarket matrix coordinate pattern general\n1000000000000000 1 1\n1 1\n' >A.mtx
spmv-convert A.mtx A.csr
