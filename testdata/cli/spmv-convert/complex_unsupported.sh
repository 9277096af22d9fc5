#!/bin/bash
# Complex output is valid to ask for, but not supported.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --values c64
