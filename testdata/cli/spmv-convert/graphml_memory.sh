#!/bin/bash
# A tag that is larger than the memory is no fault of the file.  (A sanitizer takes more than all of it.)
spmv-run -V -v | grep -q 'build type: Debug' && exit 77
spmv-run -V -v | grep -q ' libraries:.* expat\>' || exit 77
{ printf '<graphml><graph edgedefault="directed" id="'; head -c 200000000 /dev/zero | tr '\0' a; } >g.graphml
(ulimit -v 600000 && spmv-convert g.graphml --to el)
echo $?
