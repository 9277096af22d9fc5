#!/bin/bash
# Scores are read back whatever nodes are called; lines by others are read as edge lists are, or refused.
printf '%s\n' source,target 'a;b,c|d' 'c|d,"e,f"' '"e,f",g h' 'g h,"i ""j"""' '"i ""j""",k' 'k,node' 'node,p' \
    'p,"{l}"' '"{l}","#m"' '"#m",//n' '"//n",score' 'score,a;b' 'k,a' 'a,k' 'k,"a;2"' '"a;2",k' >A.csv
spmv-pagerank A.csv --sort score >ranking.txt
tail -n 1 ranking.txt
for out in A.txt A.csv A.tsv; do
    for sort in node score; do
        spmv-pagerank A.csv --sort $sort -o "scores.${out#*.}" --force
        spmv-pagerank A.csv --personalization "scores.${out#*.}" -d 1e-12 --sort score |
            sed 's/\(\.[0-9]\{9\}\).*/\1/' | cmp - <(sed 's/\(\.[0-9]\{9\}\).*/\1/' ranking.txt)
        spmv-pagerank A.csv --init "scores.${out#*.}" -n 1 -q >rest.txt; echo "$out $sort $?"
    done
done
while read -r lines; do
    printf '%b' "$lines" >lines.csv
    spmv-pagerank A.csv --personalization lines.csv -d 1e-12 --top 2; echo $?
done <<'END'
a;b,0.9\nk,0.1\n
a;2\nk\n
"a;2"\nk\n
Anna Smith\nk\n
Anna,Smith\nk,1\na,1\n
node,score\na;b,1\nk,1\n
node,1\nk,x\n
p 2\nk 1\n
{l},1\nk,2\n
k\na,2\n
\tk\n,1\n
END
