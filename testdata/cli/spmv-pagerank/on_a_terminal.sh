#!/bin/bash
# On a terminal: the ten best, and a line about the run.
has_terminal || exit 77
script -qec "spmv-pagerank --color never --progress never $TESTDATA/graphs/karate.mtx" /dev/null </dev/null | tr -d '\r'
