#!/bin/bash
# Processes that have an emulated GPU each, whose memory others do not reach: what they need of each other
# goes through the hosts.  The product is right for any number of processes, also with fewer rows or GPUs
# than these, and has the bits of one GPU where a kernel sums each row for itself.
has_ranks && command -v spmv-run-emulated >/dev/null || exit 77
run() { on_ranks "$@" 2>noise || echo "status $?"; }
printf '10\n20\n30\n' >y.txt
spmv-gen stencil27 --grid 6 --values random -o box.csr
spmv-gen rmat --scale 7 --values random -o graph.mtx
spmv-gen uniform --rows 90 --cols 300 --per-row 7 --values random -o wide.csr
spmv-run "$TESTDATA/good/worked.mtx" -y y.txt --beta 3 -o worked.txt
for p in 1 2 3 7; do
    export EMULATED_GPUS=$p
    run $p spmv-run-emulated "$TESTDATA/good/worked.mtx" --device gpu -y y.txt --beta 3 -o out.txt --force
    cmp worked.txt out.txt && echo "$p: more processes than rows"
    for file in box.csr graph.mtx wide.csr; do
        run $p spmv-run-emulated $file --device gpu -x random --repeat 2 --verify -o out.mtx --force
        grep -o verified noise
    done
done
for k in csr-scalar sell ell; do
    for file in box.csr graph.mtx; do
        spmv-run-emulated $file --device gpu -x random -k $k -o one.mtx --force 2>noise
        run 3 spmv-run-emulated $file -x random -k $k -o many.mtx --force && cmp one.mtx many.mtx && echo "$k: bits of one"
    done
done
for k in csell csr-vector csr-merge csr-panels csr-staged csr-split csr-sweep hyb jds bsr coo-atomic; do
    run 3 spmv-run-emulated graph.mtx -k $k -x random --partition rows --beta -1+i --alpha 2 --verify -o y.mtx --force
    grep -o verified noise
done
EMULATED_GPUS=2 run 3 spmv-run-emulated box.csr --device gpu --transpose --precision f32 --comm mpi-host --verify --repeat 3 --json run.json -o y.mtx --force
grep -oE 'verified|csell on 3 ranks with GPUs|\(mpi-host\)' noise
"$ROOT/scripts/check-json" run.json
python3 -c '
import json
r = json.load(open("run.json"))
print(r["kernel"], r["device"]["name"], r["distribution"]["comm"], [k["nnz"] for k in r["ranks"]])'

# Without being told they take GPUs where each has one of its own.
for n in 1 2 3; do
    EMULATED_GPUS=$n run 3 spmv-run-emulated box.csr -v -o y.mtx --force
    grep -oE 'csr-vector on 3 ranks with GPUs|cpu-csr on 3 ranks' noise
done
EMULATED_GPUS=3 run 3 spmv-run-emulated box.csr --vectors 2 -v -o y.mtx --force
grep -oE 'cpu-csr on 3 ranks' noise
