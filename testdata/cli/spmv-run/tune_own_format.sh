#!/bin/bash
# The format of the file is tried as it lies, also where it would not be made for the sake of trying.
awk 'BEGIN { print "%%MatrixMarket matrix coordinate pattern general\n200000 200000 200005"
             for (j = 1; j <= 6; j++) print 1, j
             for (i = 2; i <= 200000; i++) print i, i }' >A.mtx
spmv-convert A.mtx A.ell
for file in A.mtx A.ell; do spmv-run $file -k tune -v -o /dev/null 2>&1 | grep -oE 'tune: cpu-(csr|ell)\>'; done
