#!/bin/bash
# Edge lists as delimited text: what separates fields, headings, which columns count; CSV and TSV out.
printf 'id\tfrom\tto\tsince\n1\tAnna\tBoris\t1999\n2\tBoris\tClara\t2003\n' >A.tsv
spmv-convert A.tsv - --to el; echo $?
spmv-convert A.tsv --columns from,to - --to el
spmv-convert A.tsv --columns 2,3,4 B.csv && cat B.csv
spmv-convert B.csv C.tsv --columns TARGET,Source && cat C.tsv
spmv-convert B.csv --header no - --to el; echo $?
spmv-convert C.tsv --header no - --to el
spmv-convert A.tsv --columns from,until - --to el; echo $?
for columns in 0,1 1 1,2,3,4 1,70000; do # wrong usage, whatever the file holds
    spmv-convert A.tsv --columns $columns - --to el; echo $?
done
printf '1;2;3\n2;3;4\n' >D.txt
for delimiter in ';' tab blank semicolon 7; do
    spmv-convert D.txt --delimiter "$delimiter" - --to el; echo $?
done
cp "$TESTDATA/good/worked.csr" W.csr
spmv-convert W.csr --header yes --columns 1,2 - --to mtx | head -n 2 | tail -n 1
spmv-convert D.txt D.csr && spmv-convert D.csr --values pattern - --to csr | spmv-convert - D.csv && cat D.csv
printf '1 1\n4 4\n' | spmv-convert --all-ids - E.csv; echo $?
printf 'Anna Boris\nnot an edge at all\n' | spmv-convert - --to el; echo $?
printf 'Anna Boris\nBoris Anna\n' | spmv-convert - --to el
spmv-convert D.txt --json - --to el | grep -c '"entries"'
ls
# A number is no heading, and an edge is not taken for one.
printf '1e5 2e5\n1 2\n' | spmv-convert - --to el
printf '1.5 2.5\n1 2\n' >F.el; spmv-convert F.el - --to el; echo $?
spmv-convert F.el --header yes - --to el
printf 'nan inf\n1 2\n' | spmv-convert - --to el
printf '"{a" "{b}"\n"{a" c\n' | spmv-convert - --to el | spmv-convert - --to el
# Nodes may be called as lines of DIMACS begin, which are told by their numbers.
printf 'p q\nq p\n' | spmv-convert - --to el
printf 'p sp\nsp p\n' >G.el; spmv-convert G.el - --to el
spmv-convert G.el --from dimacs - --to el; echo $?
printf 'p\tsp  2 1\r\na 1 2 5\n' | spmv-convert - --to el
# What reads back as a number only in quotes is written so.
printf '1,2\n2,"1.5"\n' | spmv-convert -q - H.csv && cat H.csv && spmv-convert -q H.csv - --to el
# The first line of a network of Pajek is an edge where its name is in quotes.
printf 'x,*Vertices\n*Vertices,x\n' | spmv-convert - --to el | spmv-convert - --to el
