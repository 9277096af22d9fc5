#!/bin/bash
# Colour only where it is wanted.
spmv-convert --color always nowhere.mtx 2>&1 | cat -v
spmv-convert --color never nowhere.mtx
has_terminal || exit 77
script -qec 'spmv-convert nowhere.mtx' /dev/null | cat -v
NO_COLOR=1 script -qec 'spmv-convert nowhere.mtx' /dev/null | cat -v
NO_COLOR='' TERM=dumb script -qec 'spmv-convert nowhere.mtx' /dev/null | cat -v
printf '1 2\n2 1\n' >G.txt
script -qec 'spmv-pagerank G.txt --progress never' /dev/null | cat -v | grep nodes | sed 's/nodes.*/nodes/' # no colour to end
