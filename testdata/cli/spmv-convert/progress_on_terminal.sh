#!/bin/bash
# On a terminal progress shows after half a second and is erased.
has_terminal || exit 77
cp "$TESTDATA/good/worked.mtx" A.mtx
script -qec '(sleep 1; cat A.mtx) | spmv-convert - A.csr' /dev/null | cat -v
spmv-convert --check A.csr
