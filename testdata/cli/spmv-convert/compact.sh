#!/bin/bash
# Nodes that occur get numbers by ascending id; the map says which is which.
printf '%s\n' '# sparse' '1000 7' '30 1000' '7 30' >A.txt
spmv-convert A.txt - --to mtx | head -n 2 | tail -n 1
spmv-convert A.txt --compact --map map.txt - --to el
cat map.txt
spmv-convert A.txt A.csr --map map.txt; echo $?
spmv-convert A.txt A.csr --map A.csr; echo $?
spmv-convert A.txt --to el --map -; echo $?
ls
