#!/bin/bash
# Binary data are not written to a terminal.
has_terminal || exit 77
script -qec "spmv-convert $TESTDATA/good/worked.mtx" /dev/null | tr -d '\r'
exit "${PIPESTATUS[0]}"
