#!/bin/bash
# Guesses that make things worse do not keep the scores from converging, on a CPU and a GPU: here they
# once took more than 300 iterations.
spmv-gen -q powerlaw:rows=300,per-row=2,seed=1 --values ones -o A.csr
for tool in spmv-pagerank spmv-pagerank-emulated; do
    command -v $tool >/dev/null || { echo 0; continue; }
    device=cpu && [ $tool = spmv-pagerank ] || device=gpu
    $tool A.csr --device $device -d 0.99 -n 200 -t 1e-12 --acceleration extrapolation -o $tool.txt
    echo $?
done
