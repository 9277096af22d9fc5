#!/bin/bash
# Folders give their matrices, sorted; of an unpacked archive only the matrix.
mkdir -p all/deeper/hubs all/.hidden empty
cp "$TESTDATA/good/worked.mtx" all/b.mtx
cp "$TESTDATA/good/worked.mtx" all/deeper/hubs/hubs.mtx
cp "$TESTDATA/good/worked.mtx" all/deeper/hubs/hubs_b.mtx
cp "$TESTDATA/good/worked.mtx" all/.hidden/c.mtx
gzip -c "$TESTDATA/good/worked.mtx" >all/a.mtx.gz
tar czf all/worked.tar.gz -C "$TESTDATA/good" worked.mtx
spmv-convert --check all/worked.tar.gz 2>/dev/null || exit 77 # no archives in this build
# What only looks like a graph is left out, and told once; what was named is not.
echo text >all/notes.md; echo 'Read me first' >all/README.txt; printf 'name\trows\n' >all/deeper/INDEX.tsv
printf '# nodes\n\n1 2\n2 1\n' >all/graph.txt; printf '3,4\n' >all/graph.csv; for i in 1 2 3; do : >all/deeper/$i.log; done
bench() { spmv-bench "$@" --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format csv | cut -d , -f 1,2,5,6; }
# Links may lead back.
ln -s . all/deeper/loop; ln -s .. all/up; ln -s ../../all all/deeper/again
bench all empty
bench all/deeper/1.log | tail -n 1
# What is chosen does not depend on names that others have.
mkdir -p one/HB two/HB && cp all/b.mtx one/HB/b.mtx && cp all/b.mtx two/HB/b.mtx && cp all/b.mtx two/HB/c.mtx
set -f # patterns are for the tool
for words in "--match HB/*" "--exclude HB/*" "--match one/*" "--exclude */c" "--match c.mtx" "--exclude *.mtx"; do
    # shellcheck disable=SC2086 # two words
    spmv-bench one two $words --device cpu -k cpu-csr --dry-run 2>&1 | sed 's/,.*//'
done
