#!/bin/bash
# More threads than OpenMP can start are refused, wherever the number comes from.
spmv-gen stencil5 --grid 4 -o A.mtx
spmv-convert A.mtx B.csr --threads 65536
echo $?
OMP_NUM_THREADS=65536 spmv-convert A.mtx B.csr
echo $?
OMP_NUM_THREADS=65536 spmv-convert A.mtx B.csr --threads 2
