#!/bin/bash
# Tables as programs export them: what is said of them, and the same through a pipe without --from.
csv() { printf '%b' "$1" | spmv-convert - "${@:2}" --to csv; }
# Two columns of four, or a delimiter of one's own, make an edge list of what looks like none.
csv 'id,who,whom,since\n1,Anna,Boris,2001\n2,Boris,Carl,2004\n' --columns who,whom
csv '1,2,3,4\n' --columns 1,2
csv 'A:B\nB:C\n' --delimiter :
# What the headings name is an edge list, and what is wrong with it is said.
csv 'source;target;weight\nA;B;1,5\n'; echo $?
csv 'Source,Target,Type,Id,Label,timeset,Weight\na,b,Directed,0,,,1.0\n'; echo $?
csv 'source,target,weight\nA,B\n'; echo $?
csv 'source,target\nhsa:1|TP53,hsa:2|MDM2,0.5\n'; echo $?
# One delimiter is taken from the first line.
csv 'AT&T; Inc,Verizon\nVerizon,Sprint\n' --from el; echo $?
csv 'a|b,c,0.5\n' --from el; echo $?
# Comments that look like edges are told of; strict, they are refused.
csv 'source,target\n#ai,#ml\nx,#ai\n' --from el
csv 'source,target\n#ai,#ml\nx,#ai\n' --from el --strict; echo $?
# Ids that are none may be names.
csv '1 2\n-3 4\n' --from el; echo $?
csv '1 2\n18446744073709551615 4\n' --from el; echo $?
printf '# Names: words\n-3 18446744073709551615\n7 -3\n' >words.el
spmv-convert words.el - --to el
# In CSV nothing says that they are; one word among them does.
spmv-convert words.el words.csv; echo $?
printf '# Names: words\n1 2\n2 10\n' | spmv-convert - --to csv
printf '# Names: words\n007 x\n' | spmv-convert - --to csv
# Zeros before a number make it a name, which is no other number.
csv 'source,target\n007,7\n7,008\n-3,07\n'
csv 'source,target\n007,7\n7,008\n' --all-ids 2>&1
csv 'source,target,weight\n1,2,9007199254740993\n'
[ ! -e words.csv ] || echo 'words.csv is there'
# What others write.
printf '\xff\xfes\0o\0' >utf16.csv
printf '<?xml version="1.0"?>\n<gexf xmlns="x">\n' >graph.gexf
printf '0 1 2\n' >graph.adjlist
printf 'digraph {\n a -> b\n}\n' >graph.dot
for file in utf16.csv graph.gexf graph.adjlist graph.dot; do spmv-convert "$file" out.el; echo $?; done
# In a folder they fail, and what looks like no graph is left out.
mkdir folder && printf 'a b\n' >folder/readme.txt && printf 'source,target,weight\nA,B,x\n' >folder/graph.csv
spmv-convert --check folder; echo $?
