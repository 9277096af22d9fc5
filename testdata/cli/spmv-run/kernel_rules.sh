#!/bin/bash
# auto-rule and tune choose kernels that give the same y.
for kernel in auto auto-rule tune; do spmv-run "$TESTDATA/good/worked.mtx" -x index -q -k $kernel -o $kernel.mtx; done
cmp auto.mtx auto-rule.mtx && cmp auto.mtx tune.mtx && tail -3 auto.mtx
