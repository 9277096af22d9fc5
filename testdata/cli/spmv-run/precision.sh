#!/bin/bash
# Text is f64, a binary file what it stores; --precision converts.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --values f32
precision() { spmv-run -q "$@" -o /dev/null --json - | grep '"precision"'; }
precision "$TESTDATA/good/worked.mtx"
precision A.csr
precision A.csr --precision f64
precision "$TESTDATA/good/worked.mtx" --precision f32
