#!/bin/bash
# A folder is no output.
mkdir A.csr; spmv-convert --force "$TESTDATA/good/worked.mtx" A.csr
