#!/bin/bash
# Suffix or --to choose the format; all hold the same matrix.
spmv-gen uniform:rows=40,cols=30,per-row=3 -o A.mtx
for format in coo csr csc ell hyb jds sell csell; do
    spmv-gen uniform:rows=40,cols=30,per-row=3 -o A.$format
    spmv-gen uniform:rows=40,cols=30,per-row=3 --to $format | cmp - A.$format
    spmv-convert A.$format $format.mtx && cmp $format.mtx A.mtx
done
spmv-gen dense:2 --values ones -o A.unknown; echo $?
spmv-gen dense:2 --values ones -o A.unknown --to mtx && cat A.unknown
