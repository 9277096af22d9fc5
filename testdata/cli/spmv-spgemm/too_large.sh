#!/bin/bash
# A product that no memory holds is refused with its size, and nothing is written.
spmv-gen uniform --rows 3000000 --cols 1 --per-row 1 -o column.csr
spmv-spgemm column.csr --transpose-b -o C.csr 2>&1 | sed -E 's/this machine has [^ ]+ GB/this machine has/'
spmv-spgemm column.csr --transpose-b --estimate | head -3
ls
