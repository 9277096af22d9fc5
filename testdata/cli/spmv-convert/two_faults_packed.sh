#!/bin/bash
# Of two faults in a packed text the first one is told, for any number of threads: here an entry at the
# end of a piece of 1 MiB, and a line that fills the pieces behind it.
{
    printf '%%%%MatrixMarket matrix coordinate real general\n1000 1000 400000\n'
    awk 'BEGIN {
        for (size = 64; size < 1048576 - 5000; size += length(line) + 1) {
            line = i % 1000 + 1 " " i * 7 % 1000 + 1 " 1.5"
            print line
            i++
        }
        print "9999 1 1"
        printf "1 1%3000000s1\n", ""
    }'
} | gzip >two.mtx.gz
for threads in 1 2 3 4 5 6 7 8 9 10 11 12; do
    spmv-convert --check two.mtx.gz --threads $threads
done
