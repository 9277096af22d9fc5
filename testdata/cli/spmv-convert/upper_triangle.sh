#!/bin/bash
# All entries of a symmetric matrix above the diagonal: the same matrix, packed too, and the first that is
# repeated by the rows of what is stored; entries on both sides that are images of each other count once.
header='%%MatrixMarket matrix coordinate real symmetric'
printf '%s\n' "$header" '4 4 6' '1 3 2' '4 4 9' '1 2 5' '4 4 1' '1 3 4' '2 4 -1' >upper.mtx
printf '%s\n' "$header" '4 4 3' '3 1 2' '1 3 2' '2 1 5' >both.mtx
gzip -k upper.mtx
for options in '' '--threads 1' '--symmetric keep' '--duplicates first' '--duplicates error' '--strict'; do
    for file in upper.mtx upper.mtx.gz; do
        # shellcheck disable=SC2086 # words
        spmv-convert $file $options --to mtx | grep -v '^%'
    done
done 2>&1
spmv-convert both.mtx --to mtx 2>&1 | grep -v '^%'
