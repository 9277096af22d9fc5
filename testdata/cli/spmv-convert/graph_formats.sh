#!/bin/bash
# One graph in every format that has graphs becomes the same binary file.
for file in "$TESTDATA"/graphs/house_*; do
    case $file in *.expect) continue ;; esac
    spmv-convert "$file" "$(basename "$file").csr" || echo "$file"
done
md5sum ./*.csr | cut -d ' ' -f 1 | sort | uniq -c | awk '{ print $1 " alike" }'
