#!/bin/bash
# The examples of the manual work as they stand there.
man=$ROOT/man/spmv-pagerank.1.in
spmv-gen rmat:6 --values none -o web.mtx
printf 'when,who,whom\n1999,Anna,Boris\n' >friends.csv
printf '10 700\n700 30\n' >as20graph.txt
sed -n '/^\.EX/,/^\.EE/p' "$man" | sed '/^\./d; s/\\-/-/g' >examples
while read -r example; do
    bash -c "$example" >out 2>&1 || { echo "failed: $example"; cat out; }
done <examples
wc -l <examples
