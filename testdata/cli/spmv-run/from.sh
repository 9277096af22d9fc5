#!/bin/bash
# --from of every tool says what its input is, where recognition would be wrong.
printf '2 2 1\n1 2 0.5\n2 1 2\n' >coordinates.mtx # an edge list by any other name
spmv-run coordinates.mtx; echo $?
spmv-run coordinates.mtx --from el
spmv-convert coordinates.mtx --from el --to el -
spmv-spgemm coordinates.mtx coordinates.mtx --from el | tail -n 1
spmv-bench coordinates.mtx --from el --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format csv | cut -d , -f 1-5
spmv-pagerank coordinates.mtx --from el --top 1 | tail -n 1 | awk '{ print $2 }'
spmv-gen --like coordinates.mtx --from el -o twin.csr; echo $?
spmv-gen stencil5:3 --from el; echo $?
spmv-run coordinates.mtx --from EL; echo $?
spmv-run coordinates.mtx --from el -x rnadom; echo $?
