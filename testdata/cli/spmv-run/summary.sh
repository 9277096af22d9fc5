#!/bin/bash
# -v tells phases, kernel and speed; --repeat the statistics.
cp "$TESTDATA/good/worked.mtx" A.mtx
spmv-run -v A.mtx -o y.mtx --device cpu
spmv-run A.mtx -o z.mtx --repeat 3 --device cpu
