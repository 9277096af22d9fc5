#!/bin/bash
# What one process is told, several do, and they warn of the same.
has_ranks || exit 77
spmv-gen rmat --scale 8 --values ones -o A.csr
spmv-gen uniform --rows 256 --per-row 6 --values random -o B.csr
spmv-gen uniform --rows 90 --cols 256 --per-row 4 --values random -o wide.csr
spmv-gen rmat --scale 8 --seed 5 --values none | spmv-convert - mask.mtx
printf '0 3 9007199254740993\n3 7 5\n7 0 9007199254740993\n' >names.el
spmv-convert names.el names.csr
printf '%%%%MatrixMarket matrix coordinate real general\n4 4 5\n0 1 2\n-1 0 4\n1 2 2\n2 0 1e300\n3 3 1\n' >old.mtx
printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 1 94906267\n1 2 1\n2 2 94906266\n3 3 94906268\n' >integers.mtx
check() { # ARGUMENT...: the same from one process and from three
    spmv-spgemm "$@" -o one.csr 2>one.err
    local one=$?
    on_ranks 3 spmv-spgemm "$@" -o many.csr 2>noise
    local many=$?
    grep '^spmv-spgemm: ' noise >many.err
    [ $one = $many ] && cmp one.err many.err && cmp one.csr many.csr && echo "same: $* $(cat one.err)"
    rm -f one.csr many.csr
}
check A.csr B.csr --transpose-a
check A.csr wide.csr --transpose-b --top 3
check wide.csr --transpose-a
check wide.csr --transpose-b --threads 2
check A.csr --mask mask.mtx
check A.csr B.csr --boolean
check A.csr B.csr --serial --drop-zeros
check A.csr B.csr --precision f32 --repeat 3
check integers.mtx
check old.mtx --index-base 0 --skip-invalid --precision f32
check names.csr
check names.el
check names.csr --to mtx
spmv-spgemm - B.csr <A.csr >one.mtx
on_ranks_from A.csr 3 spmv-spgemm - B.csr >many.mtx
cmp one.mtx many.mtx && echo 'same: from standard input to standard output'
