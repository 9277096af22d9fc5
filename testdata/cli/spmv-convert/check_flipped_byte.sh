#!/bin/bash
# A damaged binary file is noticed.
cp "$TESTDATA/good/worked.csr" A.csr
chmod u+w A.csr
printf '\377' | dd of=A.csr bs=1 seek=$(($(wc -c <A.csr) - 3)) conv=notrunc 2>/dev/null
spmv-convert --check A.csr
