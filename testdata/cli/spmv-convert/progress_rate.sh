#!/bin/bash
# What takes long says how far it is and how fast: in a log a line, on a terminal one that goes away.
has_terminal || exit 77
spmv-gen stencil5 --grid 200 -o A.mtx
cat >slowly <<'END'
head -c 1500000 A.mtx
sleep 0.8
tail -c +1500001 A.mtx
END
sh slowly | spmv-convert --progress=plain - A.csr
script -qec 'sh slowly | spmv-convert - B.csr' /dev/null | tr '\r' '\n' | cat -v; echo
cmp A.csr B.csr
