#!/bin/bash
# Outputs are compressed when their names say so; inputs are recognised whatever their names.
spmv-convert "$TESTDATA/good/worked.mtx" A.mtx || exit
for suffix in gz bz2 xz zst; do
    spmv-convert A.mtx A.mtx.$suffix 2>err || { grep -q 'this build' err && exit 77; }
    spmv-convert A.mtx again.mtx.$suffix && cmp A.mtx.$suffix again.mtx.$suffix && ! cmp -s A.mtx A.mtx.$suffix
    spmv-convert A.mtx.$suffix A.ell.$suffix && spmv-convert --info A.ell.$suffix | head -n 1
    mv A.ell.$suffix nameless && spmv-convert - --to mtx - <nameless | cmp - A.mtx
done
find . -name '.spmv*'
spmv-convert A.mtx.gz A.csr && spmv-run A.csr -o y.mtx.gz && spmv-run A.csr -o y.txt.gz &&
    zcat y.mtx.gz y.txt.gz
