#!/bin/bash
# An option that has no effect on a file is a warning, for each file.
printf '3 4\n4 3\n' >A.el
spmv-convert -q A.el A.mtx
spmv-convert -q A.el A.csr
for file in A.el A.mtx A.csr; do
    for option in '--index-base 1' '--skip-invalid'; do
        # shellcheck disable=SC2086 # several words
        spmv-spgemm $option $file -o "$file.out.csr" --force
    done
done
printf '%% bip unweighted\n1 1\n2 1\n2 2\n' >B.el
spmv-spgemm --index-base 1 B.el
spmv-spgemm --index-base 1 A.mtx A.el -o C.csr
spmv-spgemm --repeat 2 A.mtx -o D.csr
spmv-spgemm --repeat 2 A.mtx -o D.csr --force --json run.json
spmv-spgemm --repeat 2 A.mtx --estimate; echo $?
spmv-spgemm --boolean --drop-zeros --precision f32 A.mtx -o E.csr && spmv-spgemm --boolean A.mtx -o F.csr && cmp E.csr F.csr
