#!/bin/bash
# --resume measures what is missing, and takes up a file whose last line breaks off.
mkdir m && cp "$TESTDATA/good/worked.mtx" m/a.mtx && cp m/a.mtx m/b.mtx
run() { spmv-bench m --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only --format jsonl -o r.jsonl "$@"; }
names() { python3 -c "import json
for line in open('r.jsonl'): r = json.loads(line); print(r['matrix']['name'], r['kernel'])"; }
run -k cpu-csr && names
run -k cpu-csr; echo $?
cp r.jsonl before && run -k cpu-csr --resume && cmp before r.jsonl
run -k cpu-csr,cpu-jds --resume && names
echo whole: && head -n 2 r.jsonl | cmp - before && head -c -30 r.jsonl >torn && mv torn r.jsonl
run -k cpu-jds --resume && names
cp m/a.mtx m/c.mtx && run -k auto --resume && names | tail -n 1
sed -i 1s/^/nonsense/ r.jsonl && run --resume; echo $?
run --resume --format csv; echo $?
# What is whole but for the end of its line stays a line; what could not be read stays one record.
cp before r.jsonl && truncate -s -1 r.jsonl && run -k cpu-csr,cpu-jds --resume && names | grep -c csr
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 -2\n' >c.mtx
each() { spmv-bench nowhere.mtx c.mtx --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only --format jsonl -o e.jsonl "$@"; }
each -k cpu-csr --precision f32; echo $?
each -k auto --precision f32 --resume; echo $?
each -k cpu-csr --precision f64 --resume; each -k cpu-csr --resume; echo $?
grep -o '"precision":"[^"]*"' e.jsonl; wc -l <e.jsonl
# A result that was wrong is wrong still.
sed -i 's/"pass":true/"pass":false/' r.jsonl && cp r.jsonl wrong && run -k cpu-csr,cpu-jds --resume; echo $?
cmp r.jsonl wrong && grep -c '"pass":false' wrong
# What failed failed still.
python3 - <<'END' >failed.jsonl
import json
r = json.loads(open('before').readline())
kept = {key: r[key] for key in r if key not in ('time_s', 'verify')}
print(json.dumps({**kept, 'failure': {'status': 'SPMV_ERROR_KERNEL_LAUNCH', 'message': 'no luck'}}))
END
spmv-bench m/a.mtx -k cpu-csr --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only -o failed.jsonl --resume; echo $?
# That of a matrix that is not asked for is not.
sed 's/"pass":false/"pass":true/' wrong >r.jsonl && head -n 1 wrong | sed 's/"checksum":"[^"]*"/"checksum":"0123456789abcdef"/' >>r.jsonl
run -k cpu-csr,cpu-jds --resume; echo $?
# A time that nobody verified is no result.
rm r.jsonl && run -k cpu-csr --no-verify && run -k cpu-csr --resume --no-verify && run -k cpu-csr --resume
# What breaks off goes away where nothing else is measured, too.
tear() { spmv-bench --generate stencil5:10 "$@" -q -k cpu-csr --min-time 0 --min-samples 1 --warm-only -o torn.jsonl; }
tear --generate stencil5:11
head -c -300 torn.jsonl >torn && mv torn torn.jsonl
tear --resume && wc -l <torn.jsonl
# A file that may not be written is told of before anything is measured.
as_nobody() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi; }
chmod 755 . && chmod 444 torn.jsonl && cp torn.jsonl same
measure() { as_nobody spmv-bench --generate stencil5:9 -k cpu-csr -o torn.jsonl "$@"; }
if as_nobody spmv-bench -V >/dev/null 2>&1 && as_nobody test -r torn.jsonl; then
    measure --resume 2>&1; echo $?
    measure --force 2>&1; echo $?
    cmp torn.jsonl same
else
    printf 'spmv-bench: torn.jsonl: Permission denied\n4\n%.0s' 1 2
fi
# Nor is one without cold caches where these are asked for.
cold() { spmv-bench m/a.mtx -q -k cpu-csr --device cpu --threads 1 --min-time 0 --min-samples 1 -o cold.jsonl "$@"; }
cold --warm-only && cold --resume && cold --resume && cold --resume --warm-only && grep -c '"cold"' cold.jsonl && wc -l <cold.jsonl
