#!/bin/bash
# Processes that have an emulated GPU each rank together: the scores of one process up to rounding, for any
# number of processes, and with the bits of as many GPUs of one process.
has_ranks && command -v spmv-pagerank-emulated >/dev/null || exit 77
run() { on_ranks "$@" 2>noise || echo "status $?"; }
spmv-gen rmat --scale 9 --values none -o web.csr
spmv-gen powerlaw --rows 700 --values ones | spmv-convert - --to mtx weighted.mtx
printf '0 1\n' >pair.el
check() { # OPTION...
    spmv-pagerank "$@" -n 300 -o one.txt
    for p in $processes; do
        EMULATED_GPUS=$p run $p spmv-pagerank-emulated "$@" --device gpu -n 300 -o many.txt --force
        python3 -c '
import sys
one, many = ([line.split() for line in open(f)] for f in ("one.txt", "many.txt"))
assert [a[0] for a in one] == [b[0] for b in many]
worst = max(abs(float(a[1]) - float(b[1])) for a, b in zip(one, many))
print("close" if worst < float(sys.argv[1]) else worst)' "$within"
        EMULATED_GPUS=$p spmv-pagerank-emulated "$@" --device all -n 300 -o all.txt --force 2>noise
        cmp all.txt many.txt && echo "$p: $*"
    done
    rm one.txt
}
processes='1 2 3 7' within=1e-12 check web.csr -t 1e-12
processes=3 within=1e-12
check weighted.mtx --undirected --dangling drop -t 1e-12
check web.csr --sources 7 -t 1e-12
check pair.el -t 1e-12
within=1e-6 check web.csr --precision f32 --dangling self --norm linf
EMULATED_GPUS=2 run 3 spmv-pagerank-emulated web.csr --device gpu --comm mpi-host --top 1 --json run.json
"$ROOT/scripts/check-json" run.json
python3 -c 'import json; print(json.load(open("run.json"))["device"]["name"])'
EMULATED_GPUS=3 run 3 spmv-pagerank-emulated web.csr --json cpu.json -o /dev/null # it is small
python3 -c 'import json; print("emulated" in json.load(open("cpu.json"))["device"]["name"])'
run 2 spmv-pagerank-emulated web.csr --device gpu -n 2 -q -o scores.mtx

refuse() { # COMMAND...: what the tool says
    run 3 "$@"
    grep '^spmv-pagerank' noise
}
printf '0 1 -1\n1 0 2\n' >negative.el
cat >poor <<'SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" = 2 ] && export "$1"
shift
exec "$@"
SCRIPT
refuse spmv-pagerank-emulated web.csr --device gpu --comm ipc
refuse spmv-pagerank-emulated web.csr --device 0
refuse spmv-pagerank-emulated negative.el --device gpu
refuse sh poor EMULATED_GPUS=0 spmv-pagerank-emulated web.csr --device gpu
refuse sh poor EMULATED_MEMORY=3000 spmv-pagerank-emulated web.csr --device gpu
printf '0 1\n1 0\n2 0\n' >swing.el # the scores of 0 and 1 change places, nearly for ever
kill_rank 1 spmv-pagerank-emulated swing.el --device gpu -d 0.9999999 -t 1e-300 -n 100000000 -o y.mtx
ls
