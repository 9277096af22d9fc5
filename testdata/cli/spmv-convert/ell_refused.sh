#!/bin/bash
# ELL that would be mostly padding is refused, also as a part of HYB; the message says what to use.
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 3000 3000 3000
  seq 1 3000 | sed 's/^/1 /'; } >A.mtx
spmv-convert A.mtx A.ell
spmv-convert A.mtx A.hyb --hyb-width 3000
