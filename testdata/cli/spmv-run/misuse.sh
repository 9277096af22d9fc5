#!/bin/bash
# What makes no sense is refused before anything is read.
spmv-run --verify; echo $?
spmv-run a b; echo $?
spmv-run - -x -; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --alpha 1,5; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --alpha 1e999; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --alpha 1e-400; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --beta 1-1e999i; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --repeat 0; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --repeat ' 5'; echo $?
for misfit in --partition=nonzeros --vectors=2 --kernel=tune; do
    spmv-run "$TESTDATA/good/worked.mtx" --device all "$misfit"; echo $?
done
