#!/bin/bash
# Matrices have names rather than files: as short as they are told apart; filters go by them.
mkdir -p dl/HB/bus dl/SNAP two/a two/b
cp "$TESTDATA/good/worked.mtx" dl/HB/plain.mtx && cp dl/HB/plain.mtx dl/HB/bus/bus.mtx && gzip -c dl/HB/plain.mtx >dl/SNAP/web.MTX.GZ
cp dl/HB/plain.mtx two/a/karate.mtx && cp two/a/karate.mtx two/b && cp two/a/karate.mtx two/v1.2 && spmv-convert -q two/a/karate.mtx two/a/karate.csr
names() {
    spmv-bench "$@" --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format jsonl -o names.jsonl --force; echo $?
    python3 -c "import json
for line in open('names.jsonl'): m = json.loads(line)['matrix']; print(m['file'], '->', m['name'])"
}
names dl/ --generate stencil5:4
names two/a/karate.mtx two/b/karate.mtx two/v1.2 dl/HB/plain.mtx
names two
echo "== filters"
names dl two --match 'HB/*' --match web --exclude '*/bus'
names dl two --exclude 'HB/*' --exclude '*karate*'
rm names.jsonl; names dl --match nothing 2>&1 | head -n 2
