#!/bin/bash
# One line of each kind comes from all processes together, and one for each of them.
has_ranks || exit 77
spmv-gen stencil5 --grid 40 -o A.csr
on_ranks 3 spmv-spgemm A.csr -o C.csr -v --repeat 3
echo "$?"
on_ranks 2 spmv-spgemm A.csr -o C.mtx && echo 'nothing to say'
