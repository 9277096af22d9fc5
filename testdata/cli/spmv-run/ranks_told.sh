#!/bin/bash
# One line of each kind comes from all processes together.
has_ranks || exit 77
spmv-gen stencil5 --grid 40 -o A.csr
on_ranks 3 spmv-run A.csr -o y.mtx -v --repeat 3
echo "$?"
on_ranks 2 spmv-run A.csr --partition rows --repeat 2 --beta 1 -o z.mtx
on_ranks 3 spmv-run --list-kernels | grep -c cpu-csr
on_ranks 3 spmv-run -V
spmv-run A.csr --partition rows -o one.mtx
