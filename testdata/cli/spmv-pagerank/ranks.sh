#!/bin/bash
# Several processes find the scores of one, with whatever one of them reads and writes.
has_ranks || exit 77
spmv-gen rmat --scale 13 --values none -o web.csr
spmv-gen powerlaw --rows 6000 --values ones | spmv-convert - --to mtx weighted.mtx
cat >friends.csv <<'CSV'
source,target,since
Anna,"Doe, Jane",1999
"Doe, Jane",Boris,2004
Boris,Anna,2011
Clara,Anna,2012
CSV
check() { # OPTION...: the same scores from one process and from some
    spmv-pagerank "$@" -o one.txt
    for p in $processes; do
        on_ranks "$p" spmv-pagerank "$@" -o many.txt && cmp one.txt many.txt && echo "$p: $*"
        rm -f many.txt
    done
    rm one.txt
}
processes='1 2 3 4 7' check web.csr -t 1e-10
processes=3
check web.csr --precision f32 --dangling self
check weighted.mtx --undirected --dangling drop --norm linf
check web.csr --sources 7
check friends.csv --columns source,target
on_ranks 3 spmv-pagerank friends.csv --columns source,target --top 2
on_ranks 2 spmv-pagerank web.csr | cmp - <(spmv-pagerank web.csr) && echo 'no terminal'
on_ranks 2 spmv-pagerank web.csr -n 2 -q --json run.json -o scores.mtx 2>noise
echo "not converged: $?"
"$ROOT/scripts/check-json" run.json && grep -A1 -o '"processes":.*' run.json
