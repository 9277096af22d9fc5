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
