#!/bin/bash
# Whatever ends a product that is written in pieces of rows leaves nothing of it.
limit=130000
little() { (ulimit -v $limit && exec "$@"); }
little spmv-gen stencil5:10 -o probe.csr 2>/dev/null || exit 77 # sanitizers need more
rm probe.csr
spmv-gen rmat:scale=13 --values random -o A.csr
for signal in INT TERM; do
    (ulimit -v $limit && exec env --default-signal spmv-spgemm A.csr -o C.mtx) 2>/dev/null &
    while kill -0 $! && ! compgen -G '.*.tmp' >/dev/null; do :; done 2>/dev/null
    sleep 0.05
    kill -$signal $!
    wait $!
    echo "$signal: $?"
done 2>/dev/null
little spmv-spgemm A.csr | head -2
(ulimit -f 1000 && little spmv-spgemm A.csr -o C.csr)
echo $?
ls -A
