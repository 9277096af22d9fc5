#!/bin/bash
# The manual page is clean roff, with the options of the tool in it.
command -v groff >/dev/null || exit 77
page=$(dirname "$(command -v spmv-spgemm)")/../man/spmv-spgemm.1
[ -e "$page" ] || exit 77
groff -man -ww -Tascii -rHY=0 -P-c -P-b -P-u "$page" >text 2>problems
cat problems
for option in $(spmv-spgemm -h | grep -oE -- '^ +(-., )?--[a-z-]+' | grep -oE -- '--.*'); do
    grep -q -- "$option" text || echo "not in the page: $option"
done
