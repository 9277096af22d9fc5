#!/bin/bash
# So is a standard output that is closed; a file does not need it.
spmv-convert "$TESTDATA/good/worked.mtx" - --to mtx >&-; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr >&-; echo $?
