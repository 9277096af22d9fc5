#!/bin/bash
# Processes that exchange by NCCL, for which something stands in here that knows emulated GPUs: the product has
# the bits of one GPU, also in a recording.  Where there is no NCCL, or several processes have one
# GPU, that is no way, and by default the hosts exchange.
has_ranks && command -v spmv-run-emulated >/dev/null || exit 77
stand_in=$(dirname "$(command -v spmv-run-emulated)")
run() { LD_LIBRARY_PATH=$stand_in on_ranks "$@" 2>noise || echo "status $?"; }
spmv-gen stencil27 --grid 5 --values random -o box.csr
spmv-gen uniform --rows 90 --cols 300 --per-row 7 --values random -o wide.csr
check() { # RANKS FILE
    export EMULATED_GPUS=$1
    spmv-run-emulated "$2" -x random -k csr-scalar -o one.mtx --force 2>noise
    run "$1" spmv-run-emulated "$2" -x random -k csr-scalar --comm nccl -o many.mtx --force
    cmp one.mtx many.mtx && echo "$1, $2: the same"
}
check 2 box.csr
check 5 wide.csr
export EMULATED_GPUS=3
run 3 spmv-run-emulated box.csr --device gpu --repeat 50 --verify --json run.json -o y.mtx --force
grep -oE 'verified|\(nccl\)' noise
"$ROOT/scripts/check-json" run.json
python3 -c '
import json
r = json.load(open("run.json"))
print(r["distribution"]["comm"], r["batch"] > 1)'

# What is no way, and what is done instead.
on_ranks 3 spmv-run-emulated box.csr --device gpu --comm nccl -o y.mtx --force 2>noise || echo "status $?"
grep -o 'libnccl_stand_in.so cannot be loaded' noise
try() { # VARIABLE=VALUE OPTION...: what the tool says
    local -x "${1?}"
    run 3 spmv-run-emulated box.csr --device gpu -v "${@:2}" -o y.mtx --force
    grep -oE '^spmv-run: (NCCL|processes).*|\((nccl|mpi-host)\)' noise
}
try NCCL_STAND_IN_FAILS=1 --comm nccl
try NCCL_STAND_IN_FAILS=1
try EMULATED_GPUS=2 --comm nccl

# One whose GPU fails while others wait for it says so, and ends them all.
NCCL_STAND_IN_FAILS_AT=2 EMULATED_GPUS=3 LD_LIBRARY_PATH=$stand_in timeout 20 bash -c \
    'on_ranks 3 spmv-run-emulated box.csr --device gpu --comm nccl -o failed.mtx' 2>noise || echo "status $?"
grep '^spmv-run: ' noise
[ ! -e failed.mtx ]
