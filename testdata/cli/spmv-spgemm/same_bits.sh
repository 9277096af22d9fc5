#!/bin/bash
# One thread, several and the serial way write the same bytes, from any format, to any.
spmv-gen rmat:scale=9,seed=5 --values random -o A.csr
spmv-gen uniform --rows 512 --cols 700 --per-row 5 --values random -o B.mtx
spmv-spgemm A.csr B.mtx --threads 1 -o one.mtx
spmv-spgemm A.csr B.mtx --threads 3 -o three.mtx && cmp one.mtx three.mtx
spmv-spgemm A.csr B.mtx --serial | cmp one.mtx -
spmv-spgemm A.csr B.mtx -k spgemm-serial --json serial.json | cmp one.mtx - && grep -o '"kernel":.*' serial.json
spmv-spgemm A.csr B.mtx -k spgemm-cpu --device cpu --json cpu.json | cmp one.mtx - && grep -o '"kernel":.*' cpu.json
spmv-convert A.csr A.csell && spmv-convert B.mtx B.coo
spmv-spgemm A.csell B.coo -o C.csc && spmv-convert C.csc C.mtx && cmp one.mtx C.mtx
spmv-spgemm A.csr B.mtx --to csr >C.csr && spmv-convert C.csr - --to mtx | cmp one.mtx -
