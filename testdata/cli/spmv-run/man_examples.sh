#!/bin/bash
# The examples of the manual work as they stand there.
man=$ROOT/man/spmv-run.1.in
cp "$TESTDATA/good/worked.mtx" web.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n3 1 2\n' >square.mtx
gzip -c square.mtx >big.mtx.gz
spmv-convert square.mtx web.csr
printf '1\n2\n3\n' | spmv-run square.mtx -x - -o v.mtx
sed -n '/^\.EX/,/^\.EE/p' "$man" | sed '/^\./d; s/\\-/-/g' >examples
# Without a GPU the example for all of them runs on the CPU.
spmv-run --device gpu square.mtx -o /dev/null 2>/dev/null || sed -i 's/ --device all//' examples
mpirun() { # -n P COMMAND...
    shift
    if has_ranks; then on_ranks "$@"; else "${@:2}"; fi
}
export -f mpirun
while read -r example; do
    rm -f y.mtx
    bash -c "$example" >out 2>&1 </dev/null || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
cat twice.txt
