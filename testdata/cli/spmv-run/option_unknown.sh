#!/bin/bash
# A mistyped option gets the one that was meant.
spmv-run --verbos "$TESTDATA/good/worked.mtx"
