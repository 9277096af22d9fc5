#!/bin/bash
# A shortened option is not guessed, but offered.
spmv-convert --prec f32 "$TESTDATA/good/worked.mtx"
