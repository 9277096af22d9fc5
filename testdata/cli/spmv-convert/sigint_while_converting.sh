#!/bin/bash
# Ctrl-C while several threads convert: nothing was written yet, and nothing is left.
spmv-gen powerlaw --rows 400000 -o A.csr
for _ in 1 2 3 4 5; do
    env --default-signal=INT spmv-convert --progress=plain A.csr B.csell 2>stderr &
    until grep -qs 'convert csell' stderr || ! kill -0 $!; do :; done
    kill -INT $!
    wait $!
    status=$?
    [ "$status" = 130 ] && ! grep -q write stderr && break
    rm -f B.csell
done 2>/dev/null
echo "$status"
tail -1 stderr
compgen -G '.*.tmp'
test ! -e B.csell
