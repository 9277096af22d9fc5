#!/bin/bash
# A limit on the size of files leaves nothing half-written where another library writes.
spmv-convert --list-formats | grep -q '^mat *rw' || exit 77
spmv-gen uniform --rows 5000 --per-row 4 -o B.mtx
(ulimit -f 100; spmv-convert B.mtx B.mat); echo $?
(ulimit -f 100; spmv-convert B.mtx --to mat - | wc -c)
ls -A
spmv-convert B.mtx B.mat && spmv-convert --from mat B.mat --to mtx - | cmp - B.mtx && echo 'without a limit it is whole'
