#!/bin/bash
# The default is the sum of every row, as a Matrix Market array.
spmv-run "$TESTDATA/good/worked.mtx"
