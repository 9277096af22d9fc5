#!/bin/bash
# The examples of the manual work as they stand there.
man=$ROOT/man/spmv-spgemm.1.in
cp "$TESTDATA/graphs/karate.mtx" A.mtx && cp A.mtx B.mtx
sed -n '/^\.EX/,/^\.EE/p' "$man" | sed '/^\./d; s/\\-/-/g' >examples
mpirun() { # -n P COMMAND...
    shift
    if has_ranks; then on_ranks "$@"; else "${@:2}"; fi
}
export -f mpirun
while read -r example; do
    rm -f product.csr
    bash -c "$example" >out 2>&1 </dev/null || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
