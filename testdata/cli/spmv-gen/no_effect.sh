#!/bin/bash
# What has no effect causes a warning, also in the word of the kind; what is given twice alike has one.
for words in 'stencil5:3 --seed 5' 'stencil5:3,seed=5,values=ones' 'dense:3,values=none --seed 5' 'banded:3 --seed 5 --values ones' \
    'dense:3,values=none --precision f32' 'dense:3,precision=f64 --values none'; do
    echo "$words:"
    # shellcheck disable=SC2086 # several words
    spmv-gen $words --force -o A.csr
done 2>&1
echo with an effect:
for words in 'stencil5:3 --seed 5 --values random' 'dense:3 --seed 5' 'banded:3,per-row=2,seed=1,values=none' 'fem:2 --seed 1' \
    'uniform:9,seed=7,precision=f32,values=random --seed 7 --precision f32 --values random --rows 9'; do
    # shellcheck disable=SC2086 # several words
    spmv-gen $words --force -o A.csr
done 2>&1
echo twins:
spmv-gen uniform:9,values=none --force -o A.csr
spmv-gen --like A.csr --values random --seed 3 --force -o B.csr 2>&1
spmv-gen --like A.csr --values none --precision f32 --force -o B.csr 2>&1
spmv-gen uniform:9 --force -o A.csr
spmv-gen --like A.csr --precision f32 --values ones --force -o B.csr 2>&1
echo in a measurement:
spmv-bench --generate stencil5:3,seed=5 --generate stencil5:grid=3,grid=5 2>&1
