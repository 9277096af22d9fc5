#!/bin/bash
# The names of the nodes come from the archive of the SuiteSparse collection that has the graph, or from
# what was in it.
mkdir ring other
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 3 3 4; printf '%s\n' '1 2' '2 3' '3 1' '1 3'; } >ring/ring.mtx
printf 'Anna\nBoris Drei\nÉlodie\n' >ring/ring_nodename.txt
echo 'what it is about' >ring/ring_about.txt
tar czf ring.tar.gz ring
spmv-convert --check ring.tar.gz 2>/dev/null || exit 77 # no archives in this build
spmv-pagerank -q ring.tar.gz --labels ring.tar.gz | cut -d ' ' -f 1-2 | cut -c 1-10
cmp <(spmv-pagerank -q ring.tar.gz --labels ring.tar.gz) <(spmv-pagerank -q ring/ring.mtx --labels ring/ring_nodename.txt)
cp ring/ring.mtx ring/ring_about.txt other && tar czf other.tar.gz other
spmv-pagerank ring.tar.gz --labels other.tar.gz; echo $?
