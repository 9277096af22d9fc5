#!/bin/bash
# Whatever fails on any process ends all of them, with the words and the status of the one that knows,
# within 5 seconds; sanitizers take four times as long.
has_ranks || exit 77
spmv-run -V -v | grep -q 'build type: Debug' && most=20 || most=5
run() { # P COMMAND...: status, and what the tool says
    timeout "$most" bash -c 'on_ranks "$@"' - "$@" 2>noise
    echo "status $?"
    grep '^spmv-run: ' noise
}
spmv-gen rmat --scale 8 -o A.mtx && spmv-convert A.mtx A.csr
cp A.csr cut.csr && truncate -s -9 cut.csr
cp A.csr damaged.csr && printf 'x' | dd of=damaged.csr bs=1 seek=2000 conv=notrunc status=none
sed '4s/ / x/' A.mtx >wrong.mtx
echo old >old.mtx
run 3 spmv-run nowhere.csr
run 3 spmv-run cut.csr -o y.mtx
run 3 spmv-run damaged.csr -o y.mtx
run 3 spmv-run wrong.mtx -o y.mtx
run 3 spmv-run A.csr -x A.mtx -o y.mtx
run 3 spmv-run A.csr -o old.mtx
run 2 spmv-run A.csr -o nowhere/y.mtx
run 2 spmv-run A.csr -o /dev/full
run 2 spmv-run A.csr --json nowhere/run.json -o /dev/null
run 3 spmv-run A.csr --verify -q -x random --json /dev/full -o /dev/null
run 3 spmv-run cut.csr --partition nonzeros -o y.mtx

# More rows than there is memory for.
printf '%%%%MatrixMarket matrix coordinate pattern general\n2000000000000 3 1\n1 1\n' >huge.mtx
run 3 spmv-run huge.mtx -o y.mtx | cut -d, -f1 | sed 's/ [0-9.]* [A-Z]*B / some /'
run 2 spmv-run huge.mtx --verify -o y.mtx | cut -d, -f1 | sed 's/ [0-9.]* [A-Z]*B / some /'

# A file that only rank 0 finds is read by it.
cat >elsewhere <<'SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd /
exec spmv-run A.csr -o y.mtx
SCRIPT
run 2 sh elsewhere
spmv-run A.csr -o one.mtx && cmp one.mtx y.mtx && rm one.mtx y.mtx

# What only one of them has wrong before they join ends all, too.
cat >apart <<'SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || export OMP_NUM_THREADS=5000
exec spmv-run A.csr -o y.mtx
SCRIPT
run 2 sh apart

# One that is killed takes the others along, be they in a product or waiting for one.
for_long=(spmv-run A.csr --repeat 1000000 -o y.mtx)
kill_rank 2 "${for_long[@]}"
kill_rank 0 "${for_long[@]}" --verify
kill_rank 1 "${for_long[@]}" --partition nonzeros
cat old.mtx
ls -A
