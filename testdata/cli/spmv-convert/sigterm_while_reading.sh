#!/bin/bash
# A signal ends the tool as signals do, and nothing is left.
mkfifo pipe
spmv-convert - A.csr <pipe &
exec 3>pipe
sleep 0.3
kill -TERM $!
wait $!
echo $?
ls -A
