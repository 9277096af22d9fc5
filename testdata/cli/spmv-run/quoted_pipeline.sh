#!/bin/bash
# The pipeline of the manual.
gzip -c "$TESTDATA/good/worked.mtx" >big.mtx.gz
zcat big.mtx.gz | spmv-convert - --to csr - | spmv-run -q - --kernel csr-merge > y.mtx
echo "${PIPESTATUS[@]}"
cat y.mtx
