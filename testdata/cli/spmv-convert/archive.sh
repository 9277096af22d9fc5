#!/bin/bash
# An archive is read in place: the matrix in it, or another member.
mkdir web web/aux
cp "$TESTDATA/good/worked.mtx" web/web.mtx
cp "$TESTDATA/good/plain.mtx" web/web_b.mtx
echo 'names' >web/names.txt
ln -s web.mtx web/aux/aux.mtx
tar -cf web.tar web/web_b.mtx web/aux web/web.mtx web/names.txt
gzip -c web.tar >web.tar.gz
spmv-convert --check -q web.tar.gz 2>err || { grep -q 'this build' err && exit 77; }
spmv-convert --info web.tar | head -n 1
spmv-convert --info web.tar.gz | head -n 1
spmv-convert --info - --member web_b.mtx <web.tar.gz | head -n 1
spmv-convert --info --json - web.tar.gz | grep -E '"(compression|member)"'
spmv-run --member web/web_b.mtx web.tar.gz
spmv-convert --check --member web_c.mtx web.tar.gz
tar -cf two.tar web/web_b.mtx web/names.txt web/aux
mv web/web.mtx web/other.mtx && tar -rf two.tar web/other.mtx
spmv-convert --check two.tar web.tar.gz
echo $?
ls
# A file that is no archive has no members, whatever it is.
for file in "$TESTDATA/good/worked.mtx" "$TESTDATA/good/worked.csr"; do
    cp "$file" . && spmv-convert "${file##*/}" --member zzz; echo $?
done
# Archives of KONECT have the edges in out.NAME.
mkdir toy && printf '%% asym\n1 2\n2 1\n3 1\n' >toy/out.toy_toy
echo 'Read me' >toy/README.toy_toy && echo 'name: Toy' >toy/meta.toy_toy && echo 'Anna' >toy/ent.toy_toy.person.name
tar -czf toy.tar.gz toy
spmv-convert toy.tar.gz --to el && spmv-pagerank toy.tar.gz --top 1
cp toy/out.toy_toy toy/out.toy_other && tar -cf toy.tar toy/out.toy_toy toy/out.toy_other && spmv-convert toy.tar --to el; echo $?
printf '7 8\n' >toy/graph.el && tar -rf toy.tar toy/graph.el && spmv-convert toy.tar --to el; echo $?
