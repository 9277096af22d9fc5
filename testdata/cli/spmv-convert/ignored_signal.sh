#!/bin/bash
# What nohup or a shell has told it to ignore does not end a tool: the output is there, as a whole.
mkfifo pipe
(trap '' HUP && exec spmv-convert - A.csr --progress=plain <pipe 2>stderr) &
exec 3>pipe
until grep -qs 'read <stdin>' stderr || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
kill -HUP $!
cat "$TESTDATA/good/worked.mtx" >&3
exec 3>&-
wait $!
echo $?
cmp A.csr "$TESTDATA/good/worked.csr" && ls -A
