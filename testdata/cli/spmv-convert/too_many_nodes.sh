#!/bin/bash
# A format that cannot hold all numbers up to the largest id says what would help.
printf '0 4611686018427387900\n' >A.el
spmv-convert --all-ids A.el A.csr; echo $?
spmv-convert --all-ids A.el A.coo; echo $?
spmv-convert A.el - --to el; echo $?
