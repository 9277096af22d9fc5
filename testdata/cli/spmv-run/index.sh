#!/bin/bash
# x = 1, 2, 3, 4.
spmv-run "$TESTDATA/good/worked.mtx" -x index
