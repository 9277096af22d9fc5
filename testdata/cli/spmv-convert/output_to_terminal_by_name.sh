#!/bin/bash
# Nor by any other name of it; text is.
has_terminal || exit 77
worked=$TESTDATA/good/worked.mtx
script -qec "spmv-convert --color never $worked --to csr -o /dev/tty; echo \$?" /dev/null | tr -d '\r'
script -qec "{ spmv-convert --color never $worked --to npz \$(tty); echo \$? >status; } | cat; cat status" /dev/null | tr -d '\r' | sed 's,/dev/pts/[0-9]*,TTY,'
script -qec "spmv-convert --color never $worked --to mtx -o /dev/tty" /dev/null | tr -d '\r' | head -n 1
spmv-convert "$worked" /dev/null --to csr; echo $?
