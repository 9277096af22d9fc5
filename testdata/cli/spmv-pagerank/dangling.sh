#!/bin/bash
# Where a dangling node's score goes, and where the walk starts anew, in the chain 0 -> 1 -> 2 with
# damping 1/2.  By hand: with b for what every node gets, r0 = b, r1 = b + r0 / 2, r2 = b + r1 / 2;
# with p at node 0 alone, r0 = 1/2 + ..., and so on.
printf '0 1\n1 2\n' >chain.el
echo 0 >zero.txt
show() {
    spmv-pagerank -q chain.el -d 0.5 -t 1e-14 -n 1000 "$@" | awk '{ printf "%.6f ", $2 } END { print "" }'
}
for mode in uniform drop self; do show --dangling $mode; done
show --personalization zero.txt
show --personalization zero.txt --dangling personalized
show --sources 0 --dangling personalized
show --acceleration extrapolation --personalization zero.txt
show --precision f32 -t 1e-7 --personalization zero.txt
spmv-pagerank chain.el --dangling personalized -o uniform.csv 2>&1
