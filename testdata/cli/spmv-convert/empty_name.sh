#!/bin/bash
# A name that is empty is a mistake of the command line.
spmv-convert '' 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"
spmv-convert "$TESTDATA/good/worked.mtx" '' 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"
spmv-pagerank -- '' 2>&1 | head -n 1
