#!/bin/bash
# A number is read whole, and must lie in its range.
spmv-run --threads 4x "$TESTDATA/good/worked.mtx"; echo $?
spmv-run --threads=-1 "$TESTDATA/good/worked.mtx"; echo $?
spmv-run --seed 99999999999999999999 "$TESTDATA/good/worked.mtx"; echo $?
