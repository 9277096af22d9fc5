#!/bin/bash
# A folder gives whatever is a graph or a matrix by suffix and content; the rest is named once.
mkdir all
printf 'Anna,"Doe, Jane"\n"Doe, Jane",Anna\n' >all/names.csv
printf 'source\ttarget\n1\t2\n2\t1\n' >all/headings.tsv
printf 'follower;followee;weight\nAnna;Boris;1.5\nBoris;Anna;2\n' >all/weights.csv
printf '# numbers\n\n1 2\n2 1\n' | gzip >all/numbers.txt.gz
cp "$TESTDATA"/graphs/{house_metis.graph,house_dimacs.gr,dimacs_colouring.col,house_edges.wel,karate.mtx} all
cp "$TESTDATA/boeing/worked.rb" all && spmv-convert -q all/karate.mtx all/karate.csr
cp "$TESTDATA/good/worked.mtx" all/banner.txt
printf 'Read me first.\nThen go on.\n' >all/README.txt
printf 'name\tfile\trows\tcols\nkarate\tkarate.mtx\t34\t34\n' >all/INDEX.tsv
printf 'two words\n' >all/line.txt
: >all/empty.csv
spmv-convert --info --format csv all | cut -d , -f 1-4
# What is in the way of a graph is told, not passed over.
mkdir odd
printf '1 2 3 1082040961\n' >odd/times.txt
printf '*Vertices 2\n1 "Anna"\n2 "Boris"\n*Arcs\n1 2\n' >odd/pajek.txt
printf 'broken' | gzip | head -c 20 >odd/broken.csv.gz
printf 'MATLAB 5.0 MAT-file, made by hand' >odd/model.mat
spmv-convert --check odd; echo $?
# Text is looked at as it will be read.
mkdir columns
cp "$TESTDATA/rankings/towns.csv" columns
cp all/README.txt columns
spmv-convert --check columns; echo $?
spmv-convert --info --format csv columns --columns Von,Nach,Gewicht | cut -d , -f 1-4
# What is no file would keep everybody waiting.
mkdir waits
mkfifo waits/pipe.mtx waits/pipe.txt
cp "$TESTDATA/good/worked.mtx" waits
timeout 60 spmv-convert --check waits; echo $?
# A folder that cannot be read is told of, and does not stop the others.
as_nobody() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi; }
mkdir -p open/closed && cp "$TESTDATA/good/worked.mtx" open/good.mtx && echo bad >open/bad.mtx
chmod 755 . open && chmod 644 open/*.mtx && chmod 0 open/closed
if as_nobody spmv-convert -V >/dev/null 2>&1 && as_nobody test -r open/good.mtx; then
    as_nobody spmv-convert --check open 2>&1 | cut -c 1-60
    echo "${PIPESTATUS[0]}"
else
    printf '%s\n' 'spmv-convert: open/closed: Permission denied' \
        'spmv-convert: open/bad.mtx:1:1: a Matrix Market file begins ' 4
fi
chmod 755 open/closed
