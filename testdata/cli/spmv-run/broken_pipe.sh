#!/bin/bash
# A reader that has seen enough ends the tool quietly.
printf '%%%%MatrixMarket matrix coordinate pattern general\n300000 1 1\n1 1\n' >A.mtx
spmv-run A.mtx | head -1
echo "${PIPESTATUS[0]}"
