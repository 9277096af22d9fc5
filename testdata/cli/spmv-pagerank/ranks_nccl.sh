#!/bin/bash
# Processes that exchange by NCCL, for which something stands in here that knows emulated GPUs, rank with the
# bits of as many GPUs of one process.
has_ranks && command -v spmv-pagerank-emulated >/dev/null || exit 77
stand_in=$(dirname "$(command -v spmv-pagerank-emulated)")
run() { LD_LIBRARY_PATH=$stand_in on_ranks "$@" 2>noise || echo "status $?"; }
spmv-gen rmat --scale 9 --values none -o web.csr
check() { # RANKS PRECISION
    export EMULATED_GPUS=$1
    spmv-pagerank-emulated web.csr --device all --precision "$2" -o all.txt --force 2>noise
    run "$1" spmv-pagerank-emulated web.csr --device gpu --precision "$2" --comm nccl -o many.txt --force
    cmp all.txt many.txt && echo "$1, $2: the same"
}
check 2 f64
check 3 f32
on_ranks 3 spmv-pagerank-emulated web.csr --device gpu --comm nccl -o y.txt --force 2>noise || echo "status $?"
grep -o 'libnccl_stand_in.so cannot be loaded' noise
run 3 spmv-pagerank-emulated web.csr --device gpu --comm mpi-device -o y.txt --force
grep '^spmv-pagerank' noise
