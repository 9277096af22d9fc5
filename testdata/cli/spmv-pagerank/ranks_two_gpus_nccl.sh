#!/bin/bash
# Two processes with a GPU each, where there are two and NCCL: by it they find the bits of one process with both
# GPUs.
has_ranks && [ "$(spmv-run --list-devices | grep -c '^[0-9]')" -ge 2 ] || exit 77
/sbin/ldconfig -p | grep -q 'libnccl\.so\.2' || exit 77
export rank_gpus=0,1 CUDA_VISIBLE_DEVICES=0,1
spmv-gen rmat --scale 16 --values none -o web.csr
for precision in f32 f64; do
    spmv-pagerank web.csr --device all --precision $precision -o one.txt --force
    on_ranks 2 spmv-pagerank web.csr --device gpu --comm nccl --precision $precision -o two.txt --force
    cmp one.txt two.txt && echo "$precision: the same"
done
