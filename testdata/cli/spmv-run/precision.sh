#!/bin/bash
# Text is f64, a binary file what it stores; --precision converts.  With --repeat the values of the
# matrix take the fewest bytes that lose nothing, and the result is the same.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --values f32
precision() { spmv-run -q "$@" -o /dev/null --json - | grep -E '"(precision|type)"'; }
precision "$TESTDATA/good/worked.mtx"
precision A.csr
precision A.csr --precision f64
precision "$TESTDATA/good/worked.mtx" --precision f32
for value in 1 0.5 0.1; do
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 1 1\n2 2 %s\n' $value >B.mtx
    precision B.mtx
    precision B.mtx --repeat 2
    spmv-run B.mtx --repeat 2 -x index --verify -q
    precision B.mtx --repeat 2 --alpha 1+2i
done
