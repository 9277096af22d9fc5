#!/bin/bash
# --info tells what the entries show, whatever the file declares.
describe() { # describe SIZES ENTRY... <the words of a banner
    { printf '%%%%MatrixMarket matrix coordinate %s\n' "$1"; shift; printf '%s\n' "$@"; } |
        spmv-convert --info -
}
describe 'real symmetric' '3 3 4' '1 1 4' '2 1 -0.5' '3 2 -0.5' '3 3 0'
describe 'integer general' '3 3 3' '1 2 7' '2 1 -7' '3 3 0'
describe 'real general' '4 4 4' '1 3 1e-3' '3 1 250' '2 2 1' '2 2 1'
describe 'pattern general' '2 5 3' '1 1' '1 5' '2 2'
describe 'real general' '2 2 2' '1 1 inf' '2 2 nan' 2>/dev/null
describe 'real general' '0 0 0'
describe 'pattern general' '4000000000000 4000000000000 2' '1 4000000000000' '4000000000000 1'
# One edge of 50001 goes one way.
{
    printf '%%%%MatrixMarket matrix coordinate pattern general\n25001 25001 50001\n1 3\n'
    seq 25000 | awk '{ print $1, $1 + 1; print $1 + 1, $1 }'
} | spmv-convert --info - | grep mirror
