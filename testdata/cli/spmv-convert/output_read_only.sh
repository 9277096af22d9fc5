#!/bin/bash
# A suffix of files that are only read is no name for a binary file.
for suffix in graph gr; do
    spmv-convert "$TESTDATA/good/worked.mtx" a.$suffix
    echo $?
done
spmv-convert "$TESTDATA/good/worked.mtx" a.graph --to csr && spmv-convert --check a.graph && ls
