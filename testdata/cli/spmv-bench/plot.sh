#!/bin/bash
# Pictures are well-formed whatever a matrix is called, always the same bytes, and show every result.
result() { # MATRIX KERNEL KIND MEDIAN GFLOPS BYTES
    printf '{"matrix":{"file":"%s","name":"%s","rows":9,"cols":9,"nnz":20,"format":"csr"},"kernel":"%s","precision":"f64","device":{"kind":"%s","name":"A <&> B","cache_bytes":1000},"time_s":{"median":%s,"noise":0.01},"gflops":%s,"useful_bytes":%s,"bandwidth_bytes_per_s":1e10,"theoretical_bytes_per_s":2e10,"efficiency":0.5,"setup_s":1e-3,"ceilings":{"stream_bytes_per_s":1.5e10,"gather_per_s":1e9},"verify":{"pass":true}}\n' \
        "$1" "$1" "$2" "$3" "$4" "$5" "$6"
}
{
    result '<script>&' cpu-csr cpu 1e-3 2 500
    result '<script>&' cpu-jds cpu 2e-3 1 500
    result large cpu-csr cpu 1e-3 2 5000
    result large cpu-jds cpu 0.5e-3 4 5000
    result large csr-merge gpu 1e-4 20 5000
    echo '{"matrix":{"file":"none","name":"none"},"failure":{"status":"SPMV_ERROR_FILE_IO","message":"<gone>"}}'
} >r.jsonl
spmv-bench --results r.jsonl --plot one >/dev/null && spmv-bench --results r.jsonl --plot two >/dev/null
diff -r one two && ls one
spmv-bench --results r.jsonl --plot one >/dev/null; echo $?
spmv-bench --results r.jsonl --plot r.jsonl >/dev/null; echo $?
python3 - <<'END'
import glob, re, xml.dom.minidom
for name in sorted(glob.glob('one/*.svg')):
    d = xml.dom.minidom.parse(name)
    shown = [p for p in d.getElementsByTagName('path') if p.getElementsByTagName('title')]
    print(name, len(shown), 'results', d.getElementsByTagName('title')[0].firstChild.data)
page = open('one/report.html').read()
print(page.count('<svg'), page.count('<table'), page.count('<script'), re.findall(r'src=|href="[^#]', page))
END
# Of two matrices cpu-jds is the fastest on one (50 %) and takes twice as long on the other (100 %): half
# way up, and log 2 / log 2.1 of the way to the right (the axis ends 5 % behind it).  It is the second kernel, and 1.5 pixels lower.
class=$(grep -A 1 'class="l[0-9]* y[0-9]" d="M[0-9]* [0-9]*h24' one/profile-cpu.svg | grep -B 1 cpu-jds | grep -oE 'l[0-9]+')
grep "class=\"$class " one/profile-cpu.svg | grep -o 'd="[^/]*V[^/]*'
# Pictures that exist are noticed before anything is measured, and --resume does not replace them.
bench() { spmv-bench --generate stencil5:4 --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format jsonl "$@"; echo $?; }
bench -o first.jsonl --plot one; test -e first.jsonl && echo measured
bench -o first.jsonl && bench -o first.jsonl --resume --plot one
bench -o one/small.svg --plot one --force
# Every kernel is in the legend, which has room; beyond what the legend takes, bars are grey.
for i in {1..70}; do result many "kernel$i" gpu 1e-3 "$i" 500; done >m.jsonl
head -n 30 m.jsonl >s.jsonl
spmv-bench --results s.jsonl --plot s >/dev/null && spmv-bench --results m.jsonl --plot m >/dev/null
grep -c 'class="k-' s/*.svg m/*.svg; grep -c 'class="s" d=' m/small.svg m/roofline-gpu.svg
python3 - <<'END'
import glob, re
for name in sorted(glob.glob('[sm]/*.svg')):
    text = open(name).read()
    height = int(re.search(r'viewBox="0 0 \d+ (\d+)"', text)[1])
    lowest = max(int(y) for y in re.findall(r'<text x="\d+" y="(\d+)"', text))
    print(name, len(re.findall('>kernel[0-9]+<', text)), lowest < height)
END
# Roofs are those of the fastest of several devices, and say so.
{
    result one cpu-csr gpu 1e-3 2 500
    result two cpu-csr gpu 1e-3 2 500 | sed 's/A <&> B/C/; s/stream_bytes_per_s":1.5e10/stream_bytes_per_s":3e10/'
} >devices.jsonl
spmv-bench --results devices.jsonl --plot devices >/dev/null
grep -o 'roofs of [^<]*\|memory: [^<]*' devices/roofline-gpu.svg
# Gathering allows 2 operations for each number of x, 8 of complex ones: as high as 4 times the rate.
complex() { result "$1" cpu-csr gpu 1e-3 2 500 | sed "s/\"format\":\"csr\"/&,\"type\":\"$2\"/; s/\"f64\"/\"$2\"/; s/r_s\":1e9/r_s\":$3/"; }
{ complex one c128 1e9 && complex two f64 4e9; } >complex.jsonl
spmv-bench --results complex.jsonl --plot complex >/dev/null
grep 'class="e" d="M[0-9.]* [0-9.]*h18' complex/roofline-gpu.svg | sort -u | wc -l
# The last of several results of a kernel counts, and is the fastest where it is alone: 100 % from factor 1
# on.  A matrix at several points of a sweep is one.
{
    result once cpu-csr cpu 1e-3 2 500
    result once cpu-csr cpu 1.5e-3 2 500
    result once cpu-csr cpu 1e-3 2 500 | sed 's/f64/f32/'
    result other cpu-csr cpu 1e-3 2 500
} >again.jsonl
spmv-bench --results again.jsonl --plot again >/dev/null
grep -o 'class="l[^/]*' again/profile-cpu.svg; grep -o '2 matrices[^<]*' again/profile-cpu.svg
