#!/bin/bash
# The examples of the manual work as they stand there.
spmv-convert "$TESTDATA/good/worked.mtx" web.csr
mkdir downloads && cp "$TESTDATA/good/worked.mtx" downloads
sed -n '/^\.EX/,/^\.EE/p' "$ROOT/man/spmv-bench.1.in" | sed '/^\./d; s/\\-/-/g' >examples
export OMP_NUM_THREADS=1
while read -r example; do
    bash -c "$example" >out 2>&1 || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
