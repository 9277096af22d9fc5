#!/bin/bash
# y = alpha A x + beta y with x and y from files, text or Matrix Market.
printf '1\n2\n3\n4\n' >x.txt
printf '%%%%MatrixMarket matrix array real general\n3 1\n10\n20\n30\n' >y.mtx
spmv-run "$TESTDATA/good/worked.mtx" -x x.txt -y y.mtx --alpha 2 --beta -0.5
