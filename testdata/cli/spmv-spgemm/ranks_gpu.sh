#!/bin/bash
# Processes that have an emulated GPU each write the bytes of one process on the CPU; by default what is small
# stays on the CPU, and so does what GPUs have no memory for.
has_ranks && command -v spmv-spgemm-emulated >/dev/null || exit 77
run() { on_ranks "$@" 2>noise || echo "status $?"; }
tell() { grep -oE 'on [0-9] ranks( with [0-9] GPUs?)?|, in [^ ]* % .*|cannot allocate|the CPU multiplies instead' noise | sed 's/in .* %/in/'; }
spmv-gen rmat:scale=9,seed=5 --values random -o A.csr
spmv-gen uniform --rows 512 --cols 300 --per-row 5 --values random -o B.mtx
spmv-spgemm A.csr B.mtx -o one.csr
for p in 1 2 3 7; do
    EMULATED_GPUS=$p run $p spmv-spgemm-emulated A.csr B.mtx --device gpu -o many.csr --force && cmp one.csr many.csr
done
spmv-spgemm A.csr --top 3 --transpose-b -o one.csr --force
EMULATED_GPUS=2 run 3 spmv-spgemm-emulated A.csr --top 3 --transpose-b --device gpu -v -o many.csr --force && cmp one.csr many.csr
tell
EMULATED_GPUS=3 run 3 spmv-spgemm-emulated A.csr -v -o small.csr
tell
cat >poor <<'SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" = 2 ] && export "$1"
shift
exec "$@"
SCRIPT
refuse() { # COMMAND...: what the tool says
    run 3 "$@"
    grep '^spmv-spgemm' noise
}
refuse spmv-spgemm-emulated A.csr --device all
refuse spmv-spgemm-emulated A.csr --device gpu --serial
refuse sh poor EMULATED_GPUS=0 spmv-spgemm-emulated A.csr --device gpu
refuse sh poor EMULATED_MEMORY=3000 spmv-spgemm-emulated A.csr --device gpu
ls
