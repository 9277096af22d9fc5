#!/bin/bash
# A pipe takes a binary file of several processes, too: it is opened once.
has_ranks || exit 77
spmv-gen rmat --scale 7 -o A.csr && spmv-spgemm A.csr -o one.csr
mkfifo pipe.csr
timeout 60 cat pipe.csr >got.csr &
timeout 60 bash -c 'on_ranks 3 spmv-spgemm A.csr -o pipe.csr' 2>noise || cat noise
wait
cmp one.csr got.csr && echo same
