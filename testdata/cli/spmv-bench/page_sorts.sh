#!/bin/bash
# A click on a heading of the page sorts the table, a second one the other way around: numbers by their
# units, and what has no number last.
command -v node >/dev/null || exit 77
printf '{"matrix":{"file":"a","name":"a","rows":9,"cols":9,"nnz":20},"kernel":"k","precision":"f64","time_s":{"median":1e-3}}\n' >r.jsonl
spmv-bench --results r.jsonl --plot p >/dev/null
sed -n '/^<script>$/,/^<\/script>$/{//!p}' p/report.html >script.js
cat >page.js <<'END'
const fs = require('fs'), vm = require('vm');
const body = {append: row => { table.rows.splice(table.rows.indexOf(row), 1); table.rows.push(row); }};
function make(...texts) {
  return {parentNode: body, cells: texts.map((text, i) => ({textContent: text, cellIndex: i, ariaSort: null}))};
}
const table = {rows: [make('kernel', 'median', 'nonzeros'), make('cpu-b', '1.000 ms', '1,234'), make('a \u2605', '412.3 us', '-'),
                      make('3dtube', 'n/a (fill 120)'), make('d', '7.000 \u00b5s', '7'), make('c', '2.000 s', '99'), make('cpu-a', '0.5 ms', '1,235')]};
vm.runInNewContext(fs.readFileSync('script.js', 'utf8'), {document: {querySelectorAll: () => [table]}});
for (const column of [1, 1, 2, 0, 0]) {
  const headings = table.rows[0].cells;
  headings[column].onclick();
  console.log(headings[column].textContent, headings.map(h => h.ariaSort).join(), table.rows.slice(1).map(r => r.cells[0].textContent).join(' < '));
}
END
node page.js
