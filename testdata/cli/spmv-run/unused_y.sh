#!/bin/bash
# A y that is not used gets a warning.
echo 1 >y.txt; spmv-run "$TESTDATA/good/worked.mtx" -y y.txt -o out.mtx; spmv-run -q "$TESTDATA/good/worked.mtx" -y y.txt -o out2.mtx
