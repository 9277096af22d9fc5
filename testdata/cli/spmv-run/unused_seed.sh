#!/bin/bash
# Random numbers are in x alone: a seed without them gets a warning.
spmv-run "$TESTDATA/good/worked.mtx" --seed 3 -o ones.mtx && spmv-run "$TESTDATA/good/worked.mtx" -o none.mtx && cmp ones.mtx none.mtx
spmv-run "$TESTDATA/good/worked.mtx" --seed 3 -x random -o random.mtx
