#!/bin/bash
# The examples of the manual work as they stand there.
man=$ROOT/man/spmv-gen.1.in
cp "$TESTDATA/good/worked.mtx" web.mtx
sed -n '/^\.EX/,/^\.EE/p' "$man" | sed '/^\./d; s/\\-/-/g' >examples
while read -r example; do
    bash -c "$example" >out 2>&1 || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
