#!/bin/bash
# Complex values weigh no edges.
cp "$TESTDATA/good/hermitian.mtx" A.mtx
spmv-pagerank A.mtx
echo $?
spmv-convert A.mtx --complex abs - | spmv-pagerank - --top 1
