#!/bin/bash
# Output is valid input: A^T (A x).
spmv-run "$TESTDATA/good/worked.mtx" -x index | spmv-run "$TESTDATA/good/worked.mtx" --transpose -x - -o y.txt && cat y.txt
