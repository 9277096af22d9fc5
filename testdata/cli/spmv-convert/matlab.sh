#!/bin/bash
# MATLAB's files are written by their suffix, and read only when that is asked for.
spmv-convert --list-formats | grep -q '^mat *rw' || exit 77
cp "$TESTDATA"/mat/{suitesparse,two,logical,pointer_falls,version_73,dense}.mat .
spmv-convert suitesparse.mat a.csr
spmv-convert --from mat suitesparse.mat - --to mtx
spmv-convert --from mat two.mat a.csr
spmv-convert --from mat two.mat --member S.A - --to mtx
spmv-convert --from mat two.mat --member S.B a.csr
for format in csr coo sell; do
    spmv-convert --from mat logical.mat a.$format && spmv-convert a.$format $format.mat && cmp csr.mat $format.mat
done
spmv-convert "$TESTDATA/good/hermitian.mtx" --symmetric keep - --to mat | spmv-convert --from mat - - --to mtx
gzip two.mat && spmv-convert --from mat two.mat.gz --member B --info | head -n 2
spmv-convert --from mat version_73.mat - --to mtx
spmv-convert --from mat - - --to mtx <version_73.mat
spmv-convert --check --from mat {pointer_falls,dense,logical}.mat version_73.mat "$TESTDATA/good/plain.mtx" 2>&1 | sed "s|$TESTDATA|T|"
