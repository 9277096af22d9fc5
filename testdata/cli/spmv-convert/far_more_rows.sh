#!/bin/bash
# More rows than there is memory for a number each, without an entry: all that lists entries works.
printf '%%%%MatrixMarket matrix coordinate pattern general\n1 2147483647 0\n' >wide.mtx
spmv-convert wide.mtx wide.csr
spmv-convert --transpose --to coo wide.csr tall.coo
spmv-convert --transpose --to mtx wide.csr
spmv-convert --transpose --to csr tall.coo again.csr && cmp wide.csr again.csr
spmv-convert --check wide.csr tall.coo
printf '%%%%MatrixMarket matrix coordinate pattern general\n300000000 1 1\n1 1\n' >far.mtx
spmv-convert --info far.mtx
