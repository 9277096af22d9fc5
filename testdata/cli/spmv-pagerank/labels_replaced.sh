#!/bin/bash
# Names that a graph has give way to those of --labels, which is told unless they are the same or just
# numbers from 0 or 1 on.
printf '10 20\n30 20\n20 10\n' >A.txt
printf '0 1\n2 1\n1 0\n' >B.txt
printf 'a\nb\nc\n' >names
spmv-pagerank A.txt --labels names | cut -d ' ' -f 1
spmv-pagerank B.txt --labels names | cut -d ' ' -f 1
spmv-convert -q A.txt A.csr --map A.map
spmv-pagerank A.csr --labels A.map | cut -d ' ' -f 1
spmv-pagerank A.csr --labels names --top 1
printf 'x y\ny x\n' | spmv-pagerank - --labels <(printf 'a\nb\n') | cut -d ' ' -f 1
