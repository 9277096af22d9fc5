#!/bin/bash
# Many files at once: folders, filters, a line for each; one bad file stops no other.
mkdir -p in/HB/bus && cp "$TESTDATA/good/worked.mtx" in/HB/bus/bus.mtx && cp in/HB/bus/bus.mtx in/HB/other.mtx
gzip -c "$TESTDATA/graphs/karate.mtx" >in/karate.mtx.gz && spmv-gen stencil5:3 -o in/grid.sell
echo nonsense >in/bad.mtx && echo 'Read me' >in/README.txt
worked=$(spmv-convert -q in/HB/other.mtx --to mtx -)

echo "== convert"
spmv-convert in --output-dir out; echo $?
(cd out && find . -type f | sort) && spmv-convert --info out --format line
[ "$(spmv-convert -q out/HB/bus.csr --to mtx -)" = "$worked" ] && echo same
spmv-convert in --output-dir out --match 'HB/*'; echo $?
spmv-convert in/ --output-dir out/ --match 'HB/*' --exclude other --to mtx --force; echo $?; ls out/HB
spmv-convert in/HB/other.mtx --output-dir out --to npz --values f32; echo $?; ls out/*.npz
cp -r in/HB/bus . && mkdir two && cp bus/bus.mtx two
spmv-convert bus/bus.mtx two/bus.mtx in/karate.mtx.gz --output-dir three; echo $?; ls three
spmv-convert bus two --output-dir four --to el; echo $?; find four -type f
spmv-convert in --output-dir five --exclude grid --json converted.json; echo $?
"$ROOT/scripts/check-json" converted.json
python3 -c "
import json
for f in json.load(open('converted.json'))['converted']:
    print(f['file'], f['pass'], f.get('matrix', {}).get('nnz'), f.get('output'), f.get('failure', {}).get('line'))"
spmv-convert in --output-dir six --match karate --json five/HB/bus.csr; echo $?; ls six
echo "== refused"
echo file >file
spmv-convert in --output-dir file; echo $?
spmv-convert in --output-dir nowhere/out; echo $?
spmv-convert --output-dir out; echo $?
spmv-convert in --output-dir out --match none; echo $?
spmv-convert in --output-dir out --to csr --ell-width 4; echo $?
spmv-convert in --output-dir out --check; echo $?
spmv-convert in --output-dir -; echo $?
echo "== describe"
spmv-convert --info in --format line; echo $?
spmv-convert -q --info in --format csv --exclude bad | tr -d '\r'
spmv-convert --info in two/bus.mtx --match bus | grep -v '^ '
echo "== check"
spmv-convert --check in --json check.json; echo $?
"$ROOT/scripts/check-json" check.json
python3 -c "
import json
for f in json.load(open('check.json'))['checked']: print(f)"
spmv-convert --check in/HB --json in/HB/bus/bus.mtx --force; echo $?
spmv-convert -q --check in/HB --json - | grep -c '"pass":	true'
echo "== progress"
spmv-convert in/HB --output-dir seven --progress=plain 2>&1 | sed 's/, .* left//'
# What comes from standard input has its name.
spmv-convert --output-dir from --to mtx -q - <"$TESTDATA/good/worked.mtx"; echo $?; ls from
cp "$TESTDATA/good/worked.mtx" stdin.mtx && spmv-convert --output-dir both --to mtx -q - stdin.mtx <"$TESTDATA/graphs/karate.mtx"; echo $?; for file in both/*; do echo "$file: $(grep -v % "$file" | head -n 1)"; done
