#!/bin/bash
# A peer that does not run on the device is left out, which is told once, however much is measured.
try() { # PEER KERNEL DEVICE: ends the case where this build has the peer
    local peer=$1 bench=spmv-bench
    [ "$3" = cpu ] || bench=spmv-bench-emulated
    command -v $bench >/dev/null && $bench --list-peers | grep -q "^$peer:" || return
    $bench --generate stencil5:4 --generate dense:3 --peer "$peer" -k "$2" --device "$3" --precision f32,f64 \
        --min-time 0 --min-samples 1 --warm-only --warmup 0 --format csv 2>errors | wc -l
    grep -c ": peer $peer is left out: it does not run on the ${3^^}$" errors
    exit
}
try cusparse cpu-csr cpu
try graphblas csr-merge gpu
try mkl csr-merge gpu
exit 77
