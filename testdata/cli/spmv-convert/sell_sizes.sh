#!/bin/bash
# A slice or a window that SELL or CSELL cannot have becomes the next that it can.
spmv-gen -q powerlaw:rows=3000,max-row=40 -o A.csr
# becomes FORMAT OPTIONS OTHERS: both make the same file.
becomes() {
    local format=$1
    # shellcheck disable=SC2086 # several words
    spmv-convert A.csr a."$format" $2 --force && spmv-convert A.csr b."$format" $3 --force
    cmp a."$format" b."$format"
}
becomes csell '--sell-slice 4' '--sell-slice 32'
becomes csell '--sell-slice 33' '--sell-slice 64'
becomes csell '--sell-slice 1025' '--sell-slice 1024'
cmp -s a.csell <(spmv-convert A.csr - --to csell --sell-slice 992) && echo 'slices make no difference'
becomes sell '--sell-slice 4 --sell-window 6' '--sell-slice 4 --sell-window 8'
becomes sell '--sell-slice 4 --sell-window 5000' '--sell-slice 4 --sell-window 3000'
cmp -s a.sell <(spmv-convert A.csr - --to sell --sell-slice 4 --sell-window 12) && echo 'windows make no difference'
ls
