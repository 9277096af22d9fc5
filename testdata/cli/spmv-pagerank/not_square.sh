#!/bin/bash
# A graph is square.
cp "$TESTDATA/good/worked.mtx" A.mtx
spmv-pagerank A.mtx
