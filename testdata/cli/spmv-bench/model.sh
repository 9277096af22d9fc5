#!/bin/bash
# Times on paper for any number of processes; all formats say that they are a model's.
model() { spmv-bench --generate stencil5:20 --generate rmat:scale=6,seed=1 --model "$@"; }
model 3,5us,25GB/s,10GB/s --model 17,0,1e9,4.3TB/s --partition rows
model 2,1ms,2.5MB/s,10GB/s --format csv --precision f32
model 2,5us,25GB/s,10GB/s --format markdown -o out.md && head -12 out.md
model 4,5us,25GB/s,10GB/s -o out.json --json too.json && "$ROOT/scripts/check-json" out.json too.json
echo "check-json: $?" && cmp <(sed 1d out.json) <(sed 1d too.json)
model 4,5us,25GB/s,10GB/s -o out.jsonl && grep -c '"model":{"ranks":4' out.jsonl

# The memory of the device at hand, where none is given.
model 2,5us,25GB/s -o measured.json && grep -c '"memory_measured":true' measured.json

# Single precision is that of the values, too: 64 of 8 bytes with their columns, and for 16 rows and
# columns 12 and 4 more, 768 bytes in all, a microsecond for a kB; of a pattern, 512; f32 also multiplies f64.
spmv-gen stencil5:4 --values random -o 8.mtx && spmv-convert 8.mtx --precision f32 -o 4.csr
spmv-convert 8.mtx --values pattern -o 0.mtx
for form in '8.mtx --precision f32' '4.csr' '4.csr --precision f32' '4.csr --precision f64' '0.mtx --precision f32' '8.mtx'; do
    # shellcheck disable=SC2086 # several words
    spmv-bench $form --model 1,0,1GB,1GB | sed -n '2p;4s/ on the.*//p'
done

# What --max-nnz leaves out is not predicted, either: 16 nonzeros are too many, 4 are not.
spmv-bench --generate dense:4 --generate dense:2 --model 1,0,1GB,1GB --max-nnz 15 --format csv | cut -d, -f 3

# A matrix that cannot be read is no reason to give up the others.
echo nonsense >wrong.mtx
spmv-bench wrong.mtx --generate dense:4 --model 1,0,1GB,1GB
echo "status $?"
ls
