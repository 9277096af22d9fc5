#!/bin/bash
# What a file contains cannot steer the terminal either.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 \033]0;owned\007\n' >A.mtx
spmv-convert A.mtx A.csr 2>&1 | LC_ALL=C grep -c '[^ -~]'
printf '\033[2J%%%%MatrixMarket\n' >B.mtx
spmv-convert B.mtx A.csr 2>&1 | LC_ALL=C grep -c '[^ -~]'
exit 0
