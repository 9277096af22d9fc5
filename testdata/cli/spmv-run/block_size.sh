#!/bin/bash
# A block size is a power of two in [32, 1024].
spmv-run "$TESTDATA/good/worked.mtx" --block-size 100; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --block-size 16; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --block-size 64 -o y.mtx; echo $?
