#!/bin/bash
# What is wrong with a text is said with its line and column.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 2\n' >A.mtx
spmv-convert A.mtx A.csr; echo $?
spmv-convert - A.csr <A.mtx; echo $?
ls
