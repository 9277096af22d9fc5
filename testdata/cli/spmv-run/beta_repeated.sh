#!/bin/bash
# Repeating does not change the answer, also when beta is not 0.
printf '10\n20\n30\n' >y.txt
spmv-run "$TESTDATA/good/worked.mtx" -y y.txt --beta 3 --repeat 7 -q -o out.txt
cat out.txt
