#!/bin/bash
# Files that count from 0 and hold -1 are read when that is asked for, and what is left out is said.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n0 0 1\n0 1 2\n-1 1 5\n1 1 3\n' >old.mtx
spmv-spgemm old.mtx; echo $?
spmv-spgemm old.mtx --index-base 0; echo $?
spmv-spgemm old.mtx --index-base 0 --skip-invalid; echo $?
