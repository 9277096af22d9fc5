#!/bin/bash
# The output is never one of the inputs, however it is named.
cp "$TESTDATA/good/worked.mtx" A.mtx && ln A.mtx hard.mtx && ln -s A.mtx soft.mtx
for out in A.mtx ./A.mtx hard.mtx soft.mtx; do spmv-convert --force A.mtx $out; echo $?; done
cmp A.mtx "$TESTDATA/good/worked.mtx"
