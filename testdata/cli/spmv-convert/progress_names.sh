#!/bin/bash
# What is going on is told with the names of files as messages have them: letters of any language stay.
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n' >'Straße.mtx'
cp 'Straße.mtx' $'a\e[31mb\xff.mtx'
for file in *.mtx; do spmv-convert --progress=plain "$file" "$file.csr" 2>&1 | grep read; done
