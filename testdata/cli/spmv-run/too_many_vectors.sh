#!/bin/bash
# What all vectors take is counted before the first of them is made, in every tool that multiplies.
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 1 2000000000 1; echo 1 1; } >A.mtx
for tool in 'spmv-run --verify -o y.mtx' 'spmv-bench -k cpu-csr'; do
    $tool --vectors 1048576 A.mtx 2>&1 | sed 's/has .* free/has ... free/'
    echo "${PIPESTATUS[0]}"
done
ls
