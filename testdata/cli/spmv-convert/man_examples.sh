#!/bin/bash
# The examples of the manual work as they stand there.
man=$ROOT/man/spmv-convert.1.in
cp "$TESTDATA/good/worked.mtx" web.mtx; mkdir -p downloads/HB downloads/SNAP; cp web.mtx downloads/HB; echo bad >downloads/SNAP/bad.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n3 1 2\n' >square.mtx
gzip -c square.mtx >big.mtx.gz
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n0 0 1\n-1 1 2\n' >old.mtx.later
mv old.mtx.later old.mtx
printf '10 700\n700 30\n' >soc.txt
spmv-convert web.mtx keep.csr
sed -n '/^\.EX/,/^\.EE/p' "$man" | sed '/^\./d; s/\\-/-/g' >examples
while read -r example; do
    case $example in *'--check'*) rm -f old.mtx ;; esac
    bash -c "$example" >out 2>&1 || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
