#!/bin/bash
# Headings that name the nodes say which columns these are; one that is called several things is none.
edges() { printf '%b' "$1" | spmv-convert --from el - --to el "${@:2}"; }
edges 'target,source\n1,2\n1,3\n'; echo $?
edges 'weight,Target,Source\n5,Ann,Bob\n2,Ann,Cid\n'
edges 'from;weight;to\n1;5;2\n'
edges 'to from\nann bob\n'
edges 'target,source\n1,2\n' --columns 1,2
edges 'target,source\n1,2\n' --header no
edges 'target,source\n1,2\n' --header yes
# Both orders of these are in use, and stand as they are.
edges 'tail,head\n1,2\n'
edges 'head,tail\n1,2\n'
# What is left is no weight, unless the nodes come first.
edges 'id,from,to\n7,1,2\n'; echo $?
edges 'from,since,to\n1,1999,2\n'; echo $?
edges 'from,to,since\n1,2,1999\n'
edges 'source,from,to,weight\n1,2,3,4\n'; echo $?
edges 'id,source,from,target,to\n7,1,2,3,4\n'; echo $?
# An edge without a weight is no row of headings, nor is one whose weight is empty.
edges 'a b\nb c 4\n'; echo $?
edges 'a,b,\nb,c,4\n'; echo $?
edges 'a,b,w\nb,c,4\n'
# As it is written comes first; twice is not told apart.
edges 'a,A,b\n1,2,3\n' --columns A,b
edges 'A,a,b\n1,2,3\n' --columns a,B
edges 'A,a,b\n1,2,3\n' --columns a,A
edges 'from,to,amount,to\n1,2,3,4\n' --columns from,to; echo $?
edges 'Ab,AB,c\n1,2,3\n' --columns ab,c; echo $?
# A number is no heading of weights, unless nodes are integers; nor is what stands for no weight.
edges 'source target 5\nsource a 3\na target 2\n'
edges 'target,source,4\na,b,1\nc,d,2\n'
edges 'from,to,2019\n1,2,3\n'
for weight in NA null "\$5" 50% 3#x -; do edges "a;b;$weight\nc;d;2\n"; echo $?; done
edges 'a,b,None\nc,d,2\n' --header yes
# A word among integers is told of in the first line, too.
edges '5 edges\n1 2\n2 10\n'
edges 'src,dst\nedges,5\n1,2\n' --strict; echo $?
edges '5 edges\nedges 6\n2 10\n'
for weight in '<NA>' '#N/A' '?' undefined; do edges "a;b;$weight\nc;d;2\n"; echo $?; done
edges 'source target {"weight": 5}\na b {"weight": 3}\n'
edges 'from to {}\n1 2 {}\n'
# Columns are those of the headings in every line, however many there are, with words, too, and in any number
# of threads.
follow() { # HEADINGS COLUMNS: the same graph as by columns?
    { echo "$1" && cat lines; } | spmv-convert --from el - "${@:3}" --to el >found
    { echo a,b,c && cat lines; } | spmv-convert --from el - --columns "$2" --to el | cmp - found && wc -l <found
}
seq 1 40000 | awk '{ print "u" $1 % 5000 "," $1 % 97 "," $1 % 1000 }' >lines
for threads in 1 3; do
    follow from,weight,to 1,3,2 --threads $threads
    follow target,source,weight 2,1,3 --threads $threads
done
{ seq 1 300 | awk '{ print $1 ",1," $1 + 1 }' && echo 9,a,8; } >lines
follow weight,from,to 2,3,1
cut -d, -f 1,2 <lines >pairs && mv pairs lines
follow target,source 2,1
