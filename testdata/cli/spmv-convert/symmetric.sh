#!/bin/bash
# A symmetric file is expanded, unless its symmetry is to be kept.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 5\n' >A.mtx
spmv-convert A.mtx - --to mtx
spmv-convert A.mtx A.csr --symmetric keep
spmv-convert A.csr - --to mtx --symmetric keep
spmv-convert A.csr - --to mtx
