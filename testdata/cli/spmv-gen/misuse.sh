#!/bin/bash
# What makes no sense is refused with what would make sense.
for words in '-q' 'a b' 'dense --like A.mtx' '--like A.mtx --rows 5' stencil9 stencil5:rows=3 \
    'stencil5 --rows 3' stencil5:0 stencil5:two stencil5: stencil5:3,values=two \
    'uniform --density 2' 'uniform:density=.5,per-row=2' 'uniform --rows -5' 'rmat:31' 'uniform --rows 30 --per-row 0' \
    uniform:rows=5,density=0 'hypersparse --nonempty nan' \
    'stencil27:2000' 'dense:2 --to cvs' 'rmat:31 -o A.metis' 'dense:2 --device cpu' 'dense:2 --member a' \
    '--like A.mtx --device 0' 'stencil5:3 --grid 4' 'stencil5:grid=3,grid=5' 'uniform:10,seed=7 --seed 8' \
    'uniform:10,precision=f32 --precision f64' 'dense:3,values=ones --values random' 'uniform:9,density=.5 --density .25'; do
    # shellcheck disable=SC2086 # several words
    spmv-gen $words
    echo $?
done
