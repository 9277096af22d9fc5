#!/bin/bash
# Lines of help end where the terminal does.
has_terminal || exit 77
script -qec 'stty cols 50; spmv-convert --help' /dev/null | tr -d '\r' | awk '{ if (length > longest) longest = length } END { print longest }'
