#!/bin/bash
# Nodes that are named get numbers by ascending id; what is written says what they are called, or a
# map does, or a warning says that it is lost.
printf '%s\n' '# sparse' '1000 7' '30 1000' '7 30' >A.txt
spmv-convert A.txt - --to mtx | head -n 2 | tail -n 1
spmv-convert A.txt --map map.txt - --to mtx | tail -n 3
cat map.txt
spmv-convert A.txt A.csr && spmv-convert A.csr --transpose A.coo && spmv-convert A.coo - --to el
spmv-convert A.csr A.npz
spmv-convert --all-ids A.txt - --to mtx | head -n 2 | tail -n 1
spmv-convert --all-ids A.txt - --to el
spmv-convert A.csr --drop-zeros --values pattern - --to el
printf '7 7 0\n9 7 1\n' | spmv-convert - B.csr && spmv-convert B.csr --drop-zeros - --to el
printf '7 7 0\n9 9 1\n' | spmv-convert - --to csr - | spmv-convert --drop-zeros - --to el; echo $?
spmv-convert A.txt A.csr --map map.txt; echo $?
spmv-convert A.txt A.csr --map A.csr; echo $?
spmv-convert A.txt --to el --map -; echo $?
spmv-convert A.txt --to el --map labels.npz; echo $?
ls
