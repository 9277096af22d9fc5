#!/bin/bash
# A file that is cut short or damaged makes no output.
spmv-convert "$TESTDATA/good/worked.mtx" A.mtx || exit
gzip -nc A.mtx >A.mtx.gz
spmv-convert --check -q A.mtx.gz 2>err || { grep -q 'this build' err && exit 77; }
head -c 60 A.mtx.gz | spmv-convert - A.csr
echo $?
{ cat A.mtx.gz; echo more; } | spmv-convert - A.csr
{ cat A.mtx.gz; head -c 9 /dev/zero; } | spmv-convert - --check
printf '%%%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 2\n' | gzip | spmv-convert - A.csr
find . -name '*.csr'
