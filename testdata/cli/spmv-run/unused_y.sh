#!/bin/bash
# A y that is not used gets a warning, and a factor of none.
echo 1 >y.txt; spmv-run "$TESTDATA/good/worked.mtx" -y y.txt -o out.mtx; spmv-run -q "$TESTDATA/good/worked.mtx" -y y.txt -o out2.mtx
spmv-run "$TESTDATA/good/worked.mtx" --beta 2 -o out3.mtx && cmp out.mtx out3.mtx
