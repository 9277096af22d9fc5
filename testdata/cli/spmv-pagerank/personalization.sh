#!/bin/bash
# Files with numbers for nodes go by the ids of the graph, and must fit it.
printf '10 20\n20 30\n30 10\n' >A.el
printf '# where to start\n20, 3\n30\n' >start.txt
graph=A.el
# shellcheck disable=SC2086 # several words
{
    spmv-pagerank $graph --personalization start.txt -d 0.5 -t 1e-14 -n 1000 |
        awk '{ printf "%s %.6f\n", $1, $2 }'
    spmv-pagerank $graph -d 0.5 -t 1e-14 -n 1000 -o all.txt
    spmv-pagerank $graph -d 0.5 --init all.txt --json run.json -o again.txt &&
        grep '"iterations"' run.json
    spmv-pagerank $graph --sources 20,10 --top 1 -d 0.5
    spmv-pagerank $graph --sources 20,10 -d 0.5 -t 1e-14 -n 1000 |
        awk '{ printf "%s %.6f %.6f\n", $1, $2, $3 }'
    echo 40 1 >bad.txt
    spmv-pagerank $graph --personalization bad.txt; echo $?
    echo 10 -1 >bad.txt
    spmv-pagerank $graph --personalization bad.txt; echo $?
    printf '10 1\n20 inf\n' >bad.txt
    spmv-pagerank -q $graph --personalization bad.txt; echo $?
    spmv-pagerank -q $graph -o all.json && spmv-pagerank $graph --init all.json; echo $?
    echo 10 0 >bad.txt
    spmv-pagerank $graph --init bad.txt; echo $?
    for list in 20,40 '20,' x ''; do
        spmv-pagerank $graph --sources "$list"; echo $?
    done
}
