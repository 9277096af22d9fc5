#!/bin/bash
# A reader that has seen enough ends the tool quietly.
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 100000 100000 100000
  seq 1 100000 | sed 's/.*/& &/'; } >A.mtx
spmv-convert A.mtx --to mtx | head -1
echo "${PIPESTATUS[0]}"
