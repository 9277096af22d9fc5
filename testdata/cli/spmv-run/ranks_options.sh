#!/bin/bash
# What one process is told, several do: on rank 0 whatever concerns all of the matrix or a vector.
has_ranks || exit 77
spmv-gen uniform --rows 900 --cols 700 --per-row 6 --values random -o A.csr
spmv-gen uniform --rows 700 --cols 9 --per-row 5 --values random | spmv-run - -o x.mtx
spmv-run A.csr -x random -o y.npy
spmv-convert A.csr A.mtx && gzip -k A.mtx
check() { # OPTION...: the same from one process and from three
    spmv-run "$@" -o one.mtx && on_ranks 3 spmv-run "$@" -o many.mtx && cmp one.mtx many.mtx && echo "same: $*"
    rm -f one.mtx many.mtx
}
check A.csr --partition rows -q
check A.csr --transpose -x random
check A.csr --precision f32 -x index
check A.csr --alpha 2-1i --beta 0.5i -x random -y y.npy
check A.mtx.gz -x random -k cpu-csr --device cpu --threads 2
check A.csr --transpose -x y.npy --precision f32
spmv-run A.csr -x x.mtx -o one.npy && on_ranks 3 spmv-run A.csr -x x.mtx -o many.npy
cmp one.npy many.npy && echo 'same: to an array of NumPy'
spmv-run - -x random <A.mtx >one.mtx
on_ranks_from A.mtx 3 spmv-run - -x random >many.mtx
cmp one.mtx many.mtx && echo 'same: from standard input to standard output'
