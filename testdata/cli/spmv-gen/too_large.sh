#!/bin/bash
# A matrix that cannot be held is refused before it is allocated; 4e14 entries take 12 bytes each.
spmv-gen dense:rows=20000000 2>message; echo $?
grep -cE '^spmv-gen: a generated matrix needs 4\.8 PB, this machine has ' message
