#!/bin/bash
# What several processes cannot do is refused in one line, by the first of them.
has_ranks || exit 77
refuse() { # COMMAND...: status, and what the tool says
    ${on:-on_ranks} 3 "$@" 2>noise
    echo "$?"
    grep -E '^(spmv|Usage)' noise
}
with_input() { on_ranks_from A.csr "$@"; }
spmv-gen dense --rows 4 -o A.csr
for tool in spmv-convert spmv-gen; do refuse "$tool" A.csr; done
refuse spmv-run A.csr --block-size 64
refuse spmv-run A.csr -k cpu-ell
refuse spmv-run A.csr --device 1
refuse spmv-run A.csr --no-such-option
on=with_input refuse spmv-run
# Where the end of one is not that of all, each but the first one leaves in silence.
SLURM_STEP_NUM_TASKS=2 PMIX_RANK=1 spmv-run --no-such-option; echo $?
ls
