#!/bin/bash
# Two processes with a GPU each, where there are two and NCCL: by it they make the product that one process makes
# with both GPUs.
has_ranks && [ "$(spmv-run --list-devices | grep -c '^[0-9]')" -ge 2 ] || exit 77
/sbin/ldconfig -p | grep -q 'libnccl\.so\.2' || exit 77
export rank_gpus=0,1 CUDA_VISIBLE_DEVICES=0,1
spmv-gen rmat --scale 13 --values random -o graph.csr
spmv-run graph.csr -x random -k csr-scalar --device all -o one.mtx --force
on_ranks 2 spmv-run graph.csr -x random -k csr-scalar --comm nccl -o two.mtx --force && cmp one.mtx two.mtx && echo the same
on_ranks 2 spmv-run graph.csr -x random --device gpu --comm nccl --repeat 40 --verify -o two.mtx --force 2>&1 |
    grep -oE '^spmv-run: verified|\(nccl\)'
ranks=2 kill_rank 1 spmv-run graph.csr --device gpu --comm nccl --repeat 1000000 -o y.mtx
