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
