#!/bin/bash
# Two processes with a GPU each, where there are two: over either way they make the product that one
# process makes with both GPUs.
has_ranks && [ "$(spmv-run --list-devices | grep -c '^[0-9]')" -ge 2 ] || exit 77
export rank_gpus=0,1 CUDA_VISIBLE_DEVICES=0,1
spmv-gen stencil27 --grid 30 --values random -o box.csr
spmv-gen rmat --scale 13 --values random -o graph.csr
for file in box.csr graph.csr; do
    spmv-run $file -x random -k csr-scalar --device all -o one.mtx --force
    for comm in ipc mpi-host auto; do
        on_ranks 2 spmv-run $file -x random -k csr-scalar --comm $comm -o two.mtx --force && cmp one.mtx two.mtx &&
            echo "$file, $comm: the same"
        on_ranks 2 spmv-run $file -x random --device gpu --comm $comm --repeat 40 --verify -o two.mtx --force 2>&1 |
            grep -o '^spmv-run: verified'
    done
done
on_ranks 3 spmv-run box.csr --device gpu --comm ipc -o two.mtx --force 2>&1 | grep '^spmv-run'
ranks=2 kill_rank 1 spmv-run box.csr --device gpu --comm ipc --repeat 1000000 -o y.mtx
