#!/bin/bash
# A mistyped kernel gets the one that was meant.
spmv-run "$TESTDATA/good/worked.mtx" -k csr-mergr
