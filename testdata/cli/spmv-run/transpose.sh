#!/bin/bash
# With the transpose, x has one number per row.
printf '1\n2\n3\n' >x.txt; spmv-run "$TESTDATA/good/worked.mtx" --transpose -x x.txt
