#!/bin/bash
# A random x is the same on all machines.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 1\n2 2\n3 3\n' >I.mtx
spmv-run I.mtx -x random
spmv-run I.mtx -x random --precision f32 | tail -1
spmv-run I.mtx -x random --seed 43 | cmp -s - <(spmv-run I.mtx -x random) || echo differs
