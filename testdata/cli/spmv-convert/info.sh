#!/bin/bash
# --info describes a file.
cp "$TESTDATA/good/worked.mtx" A.mtx; spmv-convert --info A.mtx
