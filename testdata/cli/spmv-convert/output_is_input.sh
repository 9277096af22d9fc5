#!/bin/bash
# The output is never one of the inputs, however it is named.
cp "$TESTDATA/good/worked.mtx" A.mtx && ln A.mtx hard.mtx && ln -s A.mtx soft.mtx
for out in A.mtx ./A.mtx hard.mtx soft.mtx; do spmv-convert --force A.mtx $out; echo $?; done
cmp A.mtx "$TESTDATA/good/worked.mtx"
# Nor does what is printed go behind what it is about.
cp A.mtx B.mtx
out=A.mtx
spmv-convert --info A.mtx >>"$out"; echo $?
spmv-spgemm --estimate A.mtx >>"$out"; echo $?
cmp A.mtx B.mtx
