#!/bin/bash
# -v tells times and sizes in the units that fit.
spmv-gen stencil5 --grid 3 -o A.csr
spmv-spgemm A.csr -v --device cpu -o C.csr
