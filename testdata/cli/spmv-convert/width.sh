#!/bin/bash
# Help and descriptions fit the terminal: lines end between words, and commands remain commands.
cp "$TESTDATA/good/worked.mtx" A.mtx
COLUMNS=40 spmv-convert --help | head -n 22
COLUMNS=40 spmv-convert --info A.mtx | tail -n 10
COLUMNS=40 spmv-convert A.mtx B.csr C.csr
for columns in 1 40 60 80 100 1000 no; do
    COLUMNS=$columns spmv-convert --help | awk -v n=$columns '{ if (length > longest) longest = length } END { print n, longest }'
done
