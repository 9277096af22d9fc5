#!/bin/bash
# --spy draws one matrix, as SVG or PNG; nothing is left where the matrix is bad.
spmv-convert A.csr --spy A.gif; echo $?
spmv-convert --spy A.csr A.svg; echo $?
spmv-convert A.csr B.csr --spy A.svg; echo $?
spmv-convert --info A.csr --spy A.svg; echo $?
echo nonsense >bad.mtx; spmv-convert bad.mtx --spy A.svg; echo $?
ls
