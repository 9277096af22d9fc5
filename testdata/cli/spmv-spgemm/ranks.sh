#!/bin/bash
# Several processes write the bytes that one writes, whatever their number, from text and binary files to
# text and binary files.
has_ranks || exit 77
spmv-gen rmat --scale 10 -o graph.mtx && spmv-convert graph.mtx graph.csr
spmv-gen stencil5:6 -o grid.csr
spmv-gen skew --rows 1024 --cols 900 -o skew.csr
printf '%%%%MatrixMarket matrix coordinate real general\n5 3 4\n1 2 3\n2 1 -1\n2 3 0.5\n5 2 2\n' >small.mtx
check() { # OUTPUT ARGUMENT...
    local out=$1 p
    shift
    spmv-spgemm "$@" -o "one.$out"
    for p in $processes; do
        on_ranks "$p" spmv-spgemm "$@" -o "many.$out" && cmp "one.$out" "many.$out" && echo "$out, $p: $*"
        rm -f "many.$out"
    done
    rm "one.$out"
}
processes='1 2 3 4 7'
check csr graph.csr skew.csr
check mtx graph.mtx
check csr small.mtx --transpose-b
processes=3
check mtx.gz graph.csr skew.csr
check csr.gz graph.csr
check ell small.mtx --transpose-a
check npz graph.csr
on_ranks 2 spmv-spgemm grid.csr --to csv -o table && cmp table <(spmv-spgemm grid.csr --to csv) && echo 'as a table'
on_ranks 3 spmv-spgemm graph.csr skew.csr | cmp - <(spmv-spgemm graph.csr skew.csr) && echo 'to a pipe'
on_ranks 2 spmv-spgemm graph.csr --to csr | cmp - <(spmv-spgemm graph.csr --to csr) && echo 'binary to a pipe'
ls -A
