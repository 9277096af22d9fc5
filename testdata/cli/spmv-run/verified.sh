#!/bin/bash
# --verify says how far off y is.
spmv-run "$TESTDATA/good/worked.mtx" --verify --device cpu -o y.mtx
