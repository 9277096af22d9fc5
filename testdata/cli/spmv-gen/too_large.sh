#!/bin/bash
# A matrix that cannot be held is refused before it is allocated.
spmv-gen dense:rows=20000000 2>message; echo $?
grep -cE '^spmv-gen: a generated matrix needs [0-9.]+ [TPE]B, this machine has ' message
