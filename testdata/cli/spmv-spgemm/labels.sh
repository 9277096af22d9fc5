#!/bin/bash
# Nodes keep their names where A and B have the same ones and the output holds them; else a warning.
printf '10 20\n20 30\n30 10\n' >A.el
printf '10 30\n20 10\n30 20\n' >B.el
printf '1 2\n2 5\n5 1\n' >other.el
spmv-spgemm A.el B.el -o C.csr && spmv-convert C.csr - --to el
spmv-spgemm A.el --transpose-b -o D.csr && spmv-convert D.csr - --to el
spmv-spgemm A.el B.el -o C.mtx
spmv-spgemm A.el other.el -o E.csr && spmv-convert E.csr - --to el
spmv-spgemm A.el C.mtx -o F.csr
spmv-spgemm A.el other.el --estimate | head -1
# A mask goes by the same names; one that has others, be they as many, is refused, and one of which only
# one side has names goes by places.
printf "10 10\n20 30\n30 20\n" >mask.el
printf '20 30\n30 70\n' >wrong.el
spmv-spgemm A.el B.el --mask mask.el --to mtx
spmv-spgemm A.el B.el --mask wrong.el --to el; echo $?
spmv-spgemm C.mtx --mask mask.el --to mtx
spmv-spgemm A.el B.el --mask C.mtx --to el
if has_ranks; then on_ranks 2 spmv-spgemm A.el B.el --mask wrong.el -o G.el 2>noise; else (exit 3); fi; echo $?
[ ! -e G.el ]
