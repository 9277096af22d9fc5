#!/bin/bash
# The examples of the manual work as they stand there.
man=$ROOT/man/spmv-spgemm.1.in
cp "$TESTDATA/graphs/karate.mtx" A.mtx && cp A.mtx B.mtx
sed -n '/^\.EX/,/^\.EE/p' "$man" | sed '/^\./d; s/\\-/-/g' >examples
while read -r example; do
    bash -c "$example" >out 2>&1 || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
