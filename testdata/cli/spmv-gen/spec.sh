#!/bin/bash
# Options of the kind in the same word are the options.
spmv-gen rmat --scale 6 --per-row 4 --seed 3 --precision f32 --values random -o options.csr
spmv-gen rmat:6,per-row=4,seed=3,precision=f32,values=random -o words.csr
spmv-gen --seed 3 rmat:scale=6,per-row=4,seed=3 --precision f32 -o mixed.csr
cmp options.csr words.csr && cmp options.csr mixed.csr && echo the same
spmv-gen rmat:6,per-row=4,seed=4 --precision f32 -o other.csr
cmp -s options.csr other.csr || echo another seed, another matrix
