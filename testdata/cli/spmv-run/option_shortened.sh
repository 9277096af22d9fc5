#!/bin/bash
# A shortened option is not guessed, but offered.
spmv-run --prec f32 "$TESTDATA/good/worked.mtx"
