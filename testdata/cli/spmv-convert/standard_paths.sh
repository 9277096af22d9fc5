#!/bin/bash
# /dev/stdin and /dev/stdout are standard input and output, also where these are files.
cp "$TESTDATA/good/worked.mtx" A.mtx
echo kept >log
spmv-convert A.mtx /dev/stdout --to mtx --force >>log; echo $?
head -n 2 log
spmv-convert A.mtx -o /dev/stdout --to mtx >B.mtx; echo $?
tail -n +2 log | cmp - B.mtx
(head -c 0; spmv-convert /dev/stdin --to mtx) <A.mtx | cmp - B.mtx
{ read -r _; spmv-convert --from el /dev/stdin --to el; } < <(printf 'gone gone\n1 2\n')
printf 'gone gone\n1 2\n' >edges.el
{ IFS= read -r _; spmv-convert --from el /dev/stdin --to el; } <edges.el
spmv-convert A.mtx /dev/stdout --map - --to mtx 2>&1 | head -n 1
spmv-spgemm - /dev/stdin <A.mtx 2>&1 | head -n 1
spmv-run /dev/stdin -x - <A.mtx 2>&1 | head -n 1
# A folder of that name is not meant.
mkdir ./- && cp A.mtx ./-
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n2 2 1\n' | spmv-convert --check - 2>&1
