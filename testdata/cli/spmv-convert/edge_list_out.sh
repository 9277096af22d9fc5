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
