#!/bin/bash
# Zeros below 0 that add up stay below, as IEEE 754 has it; beside one above they do not.
printf '%%%%MatrixMarket matrix coordinate real general\n1 2 4\n1 1 -0.0\n1 1 -0.0\n1 2 -0.0\n1 2 0\n' >A.mtx
spmv-convert -q A.mtx --to mtx
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 -0.0\n2 1 -0.0\n' >S.mtx
spmv-convert -q S.mtx --to mtx
