#!/bin/bash
# Every option of the help is in the man page, and the other way round.
names() { grep -oE -- '--[a-z][a-z-]*' | sort -u; }
spmv-spgemm -h | grep -E '^ +(-[a-zA-Z], )?--' | sed 's/  [a-zA-Z].*//' | names >help
spmv-spgemm --man-options | sed 's/\\-/-/g' | grep -A1 '^\.TP' | grep '^.fB' | names >page
diff help page && test -s help
