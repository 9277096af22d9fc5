#!/bin/bash
# Without suffix or --to the output is binary CSR.
spmv-convert "$TESTDATA/good/worked.mtx" A
spmv-convert --info A | head -1
spmv-convert "$TESTDATA/good/worked.mtx" | cmp - A
