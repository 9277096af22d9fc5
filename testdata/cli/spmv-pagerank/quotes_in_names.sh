#!/bin/bash
# A name may be as long as names are where its quotes stand once, though they stand twice in a file.
many=$(printf 'a"%.0s' {1..1500}) # 3,000 bytes, and 4,500 in a file
echo "\"${many//\"/\"\"}\",b
b,\"${many//\"/\"\"}\"
b,c" >edges.csv
spmv-pagerank edges.csv -o scores.csv -n 200 -t 1e-14 -q && cut -c1-8 scores.csv
spmv-pagerank edges.csv -o again.csv --init scores.csv -t 1e-10 -q && cut -d, -f1 again.csv | cmp - <(cut -d, -f1 scores.csv) && echo found
spmv-convert edges.csv A.mtx --map names.txt -q && spmv-pagerank A.mtx --labels names.txt -o named.csv -n 200 -t 1e-14 -q && cmp named.csv scores.csv && echo same
