#!/bin/bash
# A y that ends in .txt is plain text.
spmv-run "$TESTDATA/good/worked.mtx" -o y.txt && cat y.txt
