#!/bin/bash
# What several processes cannot do on GPUs is said in one line, and ends all of them.
has_ranks && command -v spmv-run-emulated >/dev/null || exit 77
spmv-run -V -v | grep -q 'build type: Debug' && most=40 || most=5
refuse() { # COMMAND...: status, and what the tool says
    timeout "$most" bash -c 'on_ranks "$@"' - 3 "$@" 2>noise
    echo "$?"
    grep '^spmv-run' noise
}
spmv-gen stencil5 --grid 9 -o A.csr
refuse spmv-run-emulated A.csr --device 0
refuse spmv-run-emulated A.csr --device gpu -k cpu-csr
refuse spmv-run-emulated A.csr --device cpu -k csell
refuse spmv-run-emulated A.csr --device gpu -k tune
refuse spmv-run-emulated A.csr --device gpu --vectors 2
refuse spmv-run-emulated A.csr -k csell --partition nonzeros
refuse spmv-run-emulated A.csr -k cpu-ell
refuse spmv-run-emulated A.csr --block-size 64
refuse spmv-run-emulated A.csr --device gpu --comm ncll
refuse spmv-run-emulated A.csr --device gpu --comm mpi-device
refuse spmv-run-emulated A.csr --device gpu --comm ipc
EMULATED_GPUS=3 refuse spmv-run-emulated A.csr --device gpu --comm ipc

# One of them has no GPU, or one with too little memory.
cat >poor <<'SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export "$1"
shift
exec "$@"
SCRIPT
export EMULATED_GPUS=3
refuse sh poor EMULATED_GPUS=0 spmv-run-emulated A.csr --device gpu
refuse sh poor EMULATED_MEMORY=900 spmv-run-emulated A.csr --device gpu -k csell -o y.mtx
refuse sh poor EMULATED_MEMORY=200 spmv-run-emulated A.csr --device gpu -k csr-merge -o y.mtx
kill_rank 1 spmv-run-emulated A.csr --device gpu --repeat 1000000 -o y.mtx
kill_rank 0 spmv-run-emulated A.csr --device gpu --repeat 1000000 --verify -o y.mtx

on_ranks 3 spmv-run-emulated A.csr --device cpu --comm ipc -o y.mtx
spmv-run A.csr --comm ipc --force -o y.mtx
ls
