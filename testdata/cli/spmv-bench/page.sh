#!/bin/bash
# The page says first where its results come from and what they say together; the winner is bold.
result() { # MATRIX KERNEL MEDIAN
    printf '{"schema":"spmv/1","tool":"spmv-bench","version":"9.8.7","commit":"c0ffee","arguments":["dl","-k","<all>"],"time_utc":"2026-01-02T03:04:05Z","host":{"name":"node7"},"matrix":{"file":"%s","name":"%s","rows":9,"cols":9,"nnz":20,"format":"csr"},"kernel":"%s","precision":"f64","device":{"kind":"cpu","name":"A","threads":3},"time_s":{"median":%s},"gflops":2,"verify":{"pass":true}}\n' \
        "$1" "$1" "$2" "$3"
}
{ result a cpu-csr 2e-3; result a cpu-jds 1e-3; result b cpu-csr 1e-3; result b cpu-jds 4e-3; } >r.jsonl
sed 's/"dl"/"other"/' r.jsonl | tail -n 1 | cat r.jsonl - >two.jsonl
spmv-bench --results two.jsonl --plot p >/dev/null
python3 - <<'END'
import re
page = open('p/report.html').read()
text = lambda row: ' | '.join(re.sub('<[^>]*>', '', cell) for cell in re.findall(r'<t[dh].*?</t[dh]>', row))
rows = [(('b' if 'class="b"' in row else ' '), text(row)) for row in re.findall(r'<tr.*?</tr>', page)]
for row in rows: print(*row)
print(re.findall('<h[23].*?>(.*?)</h[23]>', page))
links = re.findall('href="#(.*?)"', page)
print(links, all(page.count(f'id="{link}"') == 1 for link in links))
print(page.index('Runs') < page.index('Summary') < page.index('<figure>'))
END
