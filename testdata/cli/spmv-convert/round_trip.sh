#!/bin/bash
# Text to every binary format and back gives the same text.
spmv-convert "$TESTDATA/good/worked.mtx" start.mtx
for format in coo csr csc ell hyb jds sell csell; do
    spmv-convert start.mtx "A.$format" && spmv-convert "A.$format" "$format.mtx" &&
        cmp start.mtx "$format.mtx"
done
cat start.mtx
