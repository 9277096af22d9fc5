#!/bin/bash
# A sum beyond single precision is infinite, in y and in what it is compared with.
printf '%%%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 2e38\n1 2 2e38\n' >A.mtx
spmv-run A.mtx --precision f32 --verify --device cpu
