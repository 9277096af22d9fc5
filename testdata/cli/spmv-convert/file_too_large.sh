#!/bin/bash
# A limit on the size of files leaves no temporary file.
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 100000 1 1; echo 1 1; } >A.mtx
(ulimit -f 100; spmv-convert A.mtx A.csr); echo $?
ls -A
