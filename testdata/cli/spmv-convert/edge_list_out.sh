#!/bin/bash
# Edge lists call nodes what their matrix does, have no headings, keep nodes without edges, and come back the same.
cat >A.mtx <<'END'
%%MatrixMarket matrix coordinate real general
4 4 3
3 1 0.1
1 2 1
2 2 -3
END
spmv-convert A.mtx A.wel && cat A.wel
spmv-convert A.mtx --values pattern - --to el
spmv-convert A.mtx A.csr
spmv-convert A.wel B.csr && cmp A.csr B.csr
spmv-convert "$TESTDATA/good/worked.mtx" C.el; echo $?
ls
# One edge with a weight is no size line, whatever comment is behind it, nor is one below headings; two lines
# may be.
printf '0 1 1\n' >one.el && spmv-convert one.el - --to el | spmv-convert - --to mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1\n' | spmv-convert - --to el | spmv-convert - --to mtx
printf 'source target weight\n2 2 2\n2 2 5\n2 2 5\n' | spmv-convert -q - --to mtx
printf '5 6 2\n1 1 1\n5 6 2\n' | spmv-convert - --to mtx; echo $?
# Tables for a pipe, and a folder of them; the name of a table comes before the suffix, the suffix before el.
printf '%s\n' 'source,target,weight' '"A, B",Doe,2' 'Doe,"A, B",1.5' >names.csv
spmv-convert names.csv --to csv - | diff - names.csv && spmv-convert names.csv --to tsv -
spmv-convert names.csv --to tsv other.csv && head -n 1 other.csv
spmv-convert names.csv --to el same.csv && cmp same.csv names.csv
mkdir in && cp names.csv in/a.el && spmv-convert -q in --output-dir out --to csv && ls out && cmp out/a.csv names.csv
spmv-convert --from csv - --to el <names.csv
spmv-convert A.wel --to csv -; echo $?
spmv-gen stencil5:2 --to tsv | head -n 1
# Declared ids are all of them, also with --all-ids.
printf '# Nodes: 6 Edges: 2\n0 1\n1 2\n' | spmv-convert - --all-ids --to el >six.el && cat six.el
spmv-convert six.el --all-ids --strict --to el - | cmp - six.el
printf '1 2\n# Ids: 1 to 4\n' | spmv-convert - --all-ids --to el
seq -f '1 %.0f' 0 200000 | sed '$a# Ids: 0 to 300000' | spmv-convert - --all-ids --to mtx | sed -n 2p
spmv-pagerank six.el --all-ids --json - | grep '"rows"'
