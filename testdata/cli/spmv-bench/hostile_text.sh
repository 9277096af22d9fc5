#!/bin/bash
# Names of files and fields of results files are text in every format: no escapes, markup, formulas or columns of their own.
cat >names.py <<'END'
names = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\x1b]0;pwned\x07', 'a]]>b', '[x](http:y)', '![x](y)', '=1+1',
         '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'a|b', 'a\\|b', 'a"b', "a'b", 'a\nb', 'a,b', 'a;b', '&lt;', '`c`', '**d**', '_e_', '\x9b31m',
         '\u202eevil', '$f$', '~~g~~', '# h', 'plain-name.mtx']
END
cat >write.py <<'END'
import json, os, sys
from names import names
os.mkdir('files')
for i, name in enumerate(names):
    if '/' not in name:
        with open('files/' + name + '.mtx', 'w') as f:
            f.write(f'%%MatrixMarket matrix coordinate real general\n{i + 1} 1 1\n1 1 2\n')
for i, name in enumerate(names):
    def record(**more):
        return {'matrix': {'file': name, 'name': name, 'rows': 9, 'cols': 9, 'nnz': 20 + i, 'format': 'csr', 'checksum': name}, 'kernel': name,
                'chosen_by': name, 'precision': name, 'device': {'kind': 'cpu', 'name': name}, 'host': {'name': name}, **more}
    times = {'time_s': {'median': 1e-3, 'noise': 0.5, 'samples': [1e-3], 'outliers': '9223372036854775807'}, 'gflops': 2, 'useful_bytes': 500,
             'bandwidth_bytes_per_s': 1e10, 'theoretical_bytes_per_s': 2e10, 'efficiency': 2, 'setup_s': -1,
             'graph': {'time_s': {'median': 1e-6}}, 'ceilings': {'stream_bytes_per_s': 1e10, 'gather_per_s': 1e9}}
    print(json.dumps(record(**times)))
    print(json.dumps(record(kernel=name + 'w', verify={'pass': False}, **times)))
    print(json.dumps(record(kernel=name + 'f', failure={'status': 'SPMV_ERROR_FILE_IO', 'message': name})))
    print(json.dumps({'matrix': {'file': name, 'name': name + 'u'}, 'failure': {'status': name, 'message': name}}))
END
cat >check.py <<'END'
import csv, html.parser, re, sys, xml.dom.minidom
from names import names
steering = set(range(0x20)) | set(range(0x7f, 0xa0)) | {0x200e, 0x200f} | set(range(0x2028, 0x202f)) | set(range(0x2066, 0x206a))
def shown(name):
    return ''.join(''.join(f'\\x{b:02x}' for b in c.encode()) if ord(c) in steering else c for c in name)
def read(name):
    return open(name, newline='').read()
def expect(what, holds):
    if not holds:
        print('wrong:', what)
kind = sys.argv[1]
wanted = [n for n in names if kind == 'results' or '/' not in n]
for format in ['table', 'compare', 'markdown', 'csv']:
    text = read(f'{kind}.{format}')
    expect(f'{kind} {format}: control characters', not steering.intersection(ord(c) for c in text if c not in ('\n', '\r')))
    expect(f'{kind} {format}: carriage returns', ('\r' in text) == (format == 'csv'))
for name in wanted:
    expect(f'{kind} table: {name!r}', shown(name) in read(kind + '.table'))
    expect(f'{kind} compare: {name!r}', shown(name) in read(kind + '.compare'))
# Markdown: all that could mean something is behind a backslash, but for what the tables are made of.
def unescaped(text):
    return re.sub(r'\\[\\`*_\[\]()#!|~$@]', '', text)
text = read(kind + '.markdown')
for line in text.split('\n'):
    bare = unescaped(line)
    if line.startswith(('| kernel |', '| matrix |')):
        cells = bare.count('|')
        expect(f'{kind} markdown: head {line!r}', cells >= 6)
    if line.startswith('|'):
        expect(f'{kind} markdown: cells of {line!r}', bare.count('|') == cells)
    bare = re.sub(r'\*\*(WRONG: of the result|not verified)\*\*', '', bare)
    if line.startswith('**'):
        expect(f'{kind} markdown: heading {line!r}', re.match(r'\*\*[^*]*\*\*: ', bare))
        bare = bare.replace('**', '')
    expect(f'{kind} markdown: {line!r}', not re.search(r'[<>`*_\[\]~$@\\]|&(?!(amp|lt|gt);)', bare))
plain = re.sub(r'\\([\\`*_\[\]()#!|~$@])', r'\1', text).replace('&lt;', '<').replace('&gt;', '>').replace('&amp;', '&')
for name in wanted:
    expect(f'{kind} markdown: {name!r}', shown(name) in plain)
# CSV: so many columns in each row, no text that is a formula, and numbers that are numbers.
rows = list(csv.reader(open(kind + '.csv', newline='')))
found = {row[0] for row in rows}
for row in rows[1:]:
    expect(f'{kind} csv: columns of {row}', len(row) == len(rows[0]))
    record = dict(zip(rows[0], row))
    for key in ['matrix', 'file', 'kernel', 'precision', 'device', 'error', 'chosen_by', 'checksum', 'host']:
        expect(f'{kind} csv: {key} {record[key]!r}', record[key][:1] not in list('=+-@\t\r'))
    if kind == 'results' and record['setup_s']:
        expect(f'{kind} csv: number {record["setup_s"]}', record['setup_s'] == '-1')
for name in wanted:
    expect(f'{kind} csv: {name!r}', ("'" if name[0] in '=+-@' else '') + shown(name) in found)
# The page: only elements that it is made of, and the names as text.
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.elements, self.attributes, self.text, self.links, self.scripts = set(), set(), '', set(), 0
    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.attributes |= {key for key, _ in attributes}
        self.links |= {value for key, value in attributes if key == 'href'}
        self.scripts += tag == 'script'
    def handle_data(self, data):
        self.text += data
page = Page()
page.feed(read(f'{kind}.plot/report.html'))
known = 'html head meta title style body div h1 h2 p figure figcaption svg g path text span table tr td th h3 a script'.split()
expect(f'{kind} page: {page.elements - set(known)}', page.elements <= set(known))
expect(f'{kind} page: {page.attributes}', not any(a.startswith('on') or a == 'src' for a in page.attributes))
expect(f'{kind} page: {page.links}', all(re.fullmatch('#[a-z0-9]+', link) for link in page.links))
expect(f'{kind} page: {page.scripts} scripts', page.scripts == 1)
import glob
pictures = glob.glob(f'{kind}.plot/*.svg')
expect(f'{kind} pictures: {pictures}', len(pictures) >= 2)
texts = page.text
for name in pictures:
    expect(f'{name}: ]]>', ']]>' not in read(name))
    for node in xml.dom.minidom.parse(name).getElementsByTagName('*'):
        expect(f'{name}: {node.tagName}', node.tagName in ('svg', 'g', 'title', 'style', 'path', 'text'))
for name in wanted:
    expect(f'{kind} page: {name!r}', ''.join('?' if ord(c) < 0x20 else c for c in name) in page.text)
print(kind, len(wanted), 'names')
END
python3 write.py >results.jsonl || exit
spmv-bench files --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format jsonl -o files.jsonl
for kind in files results; do
    for format in table markdown csv; do spmv-bench --results $kind.jsonl --format $format -o $kind.$format; done
    spmv-bench --compare $kind.jsonl $kind.jsonl >$kind.compare
    spmv-bench --results $kind.jsonl --plot $kind.plot >/dev/null
    python3 check.py $kind
done
