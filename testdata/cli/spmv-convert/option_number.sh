#!/bin/bash
# A number is read whole, and must lie in its range.
spmv-convert --threads 4x "$TESTDATA/good/worked.mtx"; echo $?
spmv-convert --threads=-1 "$TESTDATA/good/worked.mtx"; echo $?
spmv-convert --threads 99999999999999999999 "$TESTDATA/good/worked.mtx"; echo $?
