#!/bin/bash
# Nodes that are words, in and out: as people, spreadsheets and other programs have them.
printf '%s\n' 'follower,followee' 'Anna,"Doe, Jane"' '"Doe, Jane",Élodie' 'Élodie,Anna' 'Boris,Anna' >A.csv
spmv-pagerank A.csv --top 2
spmv-pagerank A.csv --sort score -o scores.csv && cut -c 1-15 scores.csv
spmv-pagerank A.csv --sort score -o scores.json && cut -c 1-30 scores.json
spmv-pagerank A.csv --sources 'Boris,"Doe, Jane"' --top 1
spmv-pagerank A.csv --sources 'Boris,"Doe, Jane"' -o from.tsv && head -n 1 from.tsv
spmv-pagerank A.csv --sources 'Boris,Doe'; echo $?
spmv-pagerank A.csv --sources 'Boris,"Boris"'; echo $?
spmv-pagerank A.csv --sources Boris, Anna; echo $?
spmv-pagerank A.csv --sources Boris,Anna --sort score; echo $?
spmv-pagerank A.csv --sort score -o scores.mtx; echo $?
printf 'node,weight\n"Doe, Jane",1\n' >start.csv
spmv-pagerank A.csv --personalization start.csv --init scores.csv --top 1
printf 'node,weight\nJane,1\n' >wrong.csv
spmv-pagerank A.csv --personalization wrong.csv; echo $?
spmv-pagerank A.csv --top 1 --json - | grep -E '"(node|score)"'
spmv-pagerank A.csv --json - | grep -c Anna
printf 'C:\\x b\nb C:\\x\n' >paths.txt && spmv-pagerank paths.txt -o paths.json && cat paths.json
# names that Matrix Market cannot hold, and others that came with it
spmv-convert A.csv A.mtx --map A.map && cat A.map
spmv-pagerank A.mtx --labels A.map --top 1
printf 'zwei\neins\nA. Drei\neins\n' >names.txt
spmv-pagerank A.mtx --labels names.txt --top 4
# integers that none of ours holds
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n' >two.mtx
printf '18446744073709551615\n0\n' >wide.txt
spmv-pagerank two.mtx --labels wide.txt --top 2
printf 'Anna \033[31m Boris\n' >B.txt
spmv-pagerank B.txt; echo $?
printf 'Anna,Boris,2\nBoris,Anna,-1\n' >C.csv
spmv-pagerank C.csv; echo $?
# A name that begins with what is a byte order mark at the beginning of a file.
printf 'x "\xef\xbb\xbfz"\n"\xef\xbb\xbfz" x\n"\xef\xbb\xbfz" "\xef\xbb\xbfz"\n' >mark.el
spmv-pagerank mark.el --sort score -o mark.txt && spmv-pagerank mark.el --personalization mark.txt -o again.txt && head -c 5 mark.txt | od -An -tx1
spmv-convert mark.el mark.mtx --map map.txt -q && spmv-pagerank mark.mtx --labels map.txt --sort score | cut -c 1-6
