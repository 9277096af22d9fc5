#!/bin/bash
# A pattern counts each entry as 1, in either precision.
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n' >A.mtx
spmv-run A.mtx -x index
spmv-run A.mtx -x index --precision f32
