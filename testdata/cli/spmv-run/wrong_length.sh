#!/bin/bash
# A vector of the wrong length is refused, and nothing is written.
printf '1\n2\n3\n' >x.txt
printf '1\n' >y.txt
spmv-run "$TESTDATA/good/worked.mtx" -x x.txt -o out.mtx; echo $?
spmv-run "$TESTDATA/good/worked.mtx" -y y.txt --beta 1 -o out.mtx; echo $?
ls
