#!/bin/bash
# Why a kernel is taken is said on standard error, whoever chose it.
run() { spmv-run "$TESTDATA/good/worked.mtx" --explain --device cpu -o y.mtx --force "$@"; }
run
run -k cpu-ell
run -k tune 2>tuned
grep -cE '^spmv-run: cpu-(csr|coo): .* a multiplication$' tuned
sed -n 's/^spmv-run: cpu-[a-z]*: \(the .*\)$/\1/p' tuned
