#!/bin/bash
# A product that neither memory nor disk hold is refused with its size, and nothing is written.
spmv-gen uniform --rows 3000000 --cols 1 --per-row 1 -o column.csr
spmv-spgemm column.csr --transpose-b -o C.csr 2>&1 | sed -E 's/has [^ ]+ [kMGT]?B/has/'
spmv-spgemm column.csr --transpose-b --estimate | head -3
ls
