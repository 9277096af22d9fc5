#!/bin/bash
# Where memory is too small for C it is written in pieces of rows: the same bytes, on the CPU and on
# a GPU, to a file and to a pipe.  What needs all of C is refused, and nothing is left of it.
limit=130000 # KiB of address space; C takes 80 MB
# A thread that finds malloc busy would take 64 MB of addresses for memory of its own.
little() { (ulimit -v $limit && MALLOC_ARENA_MAX=1 "$@"); }
little spmv-gen stencil5:10 -o probe.csr 2>/dev/null || exit 77 # sanitizers need more
rm probe.csr
pieces() { python3 -c 'import json; print("in pieces:", json.load(open("record.json"))["product"]["in_pieces"])'; }
spmv-gen rmat:scale=13 --values random -o A.csr
spmv-spgemm A.csr -o C.csr --json record.json && pieces
spmv-spgemm A.csr -o C.mtx
little spmv-spgemm A.csr -o D.csr --json record.json --force && pieces && cmp C.csr D.csr
little spmv-spgemm A.csr -o D.mtx --threads 1 && cmp C.mtx D.mtx
little spmv-spgemm A.csr | cmp C.mtx -
if command -v spmv-spgemm-emulated >/dev/null; then
    little spmv-spgemm-emulated A.csr --device gpu -o E.csr 2>errors || cat errors
    cmp C.csr E.csr && rm E.csr errors
fi
for words in '-o D.npz' '-o D.ell' '-o D.mtx --force -q --repeat 2' '--to csr'; do
    # shellcheck disable=SC2086 # several words
    little spmv-spgemm A.csr $words 2>&1 | sed -E 's/needs [^,]+, this machine has [^ ]+ [kMGT]?B free/needs/; s/cannot allocate [^ ]+ [kMGT]?B for/needs/'
done
ls -A
