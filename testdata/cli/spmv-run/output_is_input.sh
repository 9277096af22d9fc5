#!/bin/bash
# The output is neither matrix nor x nor y.
cp "$TESTDATA/good/worked.mtx" A.mtx
printf '1\n2\n3\n4\n' >x.txt
printf '1\n2\n3\n' >y.txt
spmv-run A.mtx --force -o A.mtx; echo $?
spmv-run A.mtx --force -x x.txt -o x.txt; echo $?
spmv-run A.mtx --force -y y.txt --beta 1 -o y.txt; echo $?
spmv-run A.mtx --force --json A.mtx -o new; echo $?
spmv-run A.mtx --json x.txt -o new; echo $?
ls
