#!/bin/bash
# Whatever fails on any process ends all of them, with the words and the status of the one that knows, and
# leaves no output.
has_ranks || exit 77
run() { # P COMMAND...: status, and what the tool says
    timeout 60 bash -c 'on_ranks "$@"' - "$@" 2>noise
    echo "status $?"
    grep '^spmv-spgemm: ' noise
}
spmv-gen rmat --scale 8 -o A.mtx && spmv-convert A.mtx A.csr
spmv-gen dense --rows 4 -o four.csr
cp A.csr cut.csr && truncate -s -9 cut.csr
cp A.csr damaged.csr && printf 'x' | dd of=damaged.csr bs=1 seek=2000 conv=notrunc status=none
sed '4s/ / x/' A.mtx >wrong.mtx
echo old >old.csr
run 3 spmv-spgemm nowhere.csr -o C.csr
run 3 spmv-spgemm A.csr cut.csr -o C.csr
run 3 spmv-spgemm damaged.csr A.csr -o C.mtx
run 3 spmv-spgemm wrong.mtx -o C.csr
run 3 spmv-spgemm A.csr four.csr -o C.csr
run 3 spmv-spgemm A.csr --mask four.csr -o C.csr
run 3 spmv-spgemm A.csr -o old.csr
run 3 spmv-spgemm A.csr -o A.csr --force
run 2 spmv-spgemm A.csr -o nowhere/C.csr
run 2 spmv-spgemm A.csr -o /dev/full

# None has memory for its rows of a product that is far too large.
spmv-gen uniform --rows 3000000 --cols 1 --per-row 1 -o column.csr
run 3 spmv-spgemm column.csr --transpose-b -o C.csr | sed -E 's/has [^ ]+ [kMGT]?B/has/'

# Where only rank 0 finds the folder, it writes alone what it gets of all.
cat >elsewhere <<'SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd /
exec spmv-spgemm A.csr -o C.csr
SCRIPT
run 3 bash elsewhere
spmv-spgemm A.csr -o one.csr && cmp one.csr C.csr && rm one.csr C.csr

# One that is killed takes the others along, be they multiplying or writing.
kill_rank 2 spmv-spgemm A.csr --repeat 1000000 -o C.csr
is_time() { compgen -G '.*.tmp' >/dev/null; }
spmv-gen uniform:100000 --per-row 6 --values random -o large.csr
kill_rank 2 spmv-spgemm large.csr -o C.mtx

# mpirun kills all as soon as one has ended: rank 0 needs three tenths of a second here to remove its file.
# Sanitizers load nothing before themselves.
slow_names=$(dirname "$(command -v spmv-spgemm)")/libfaults_test.so
if [ -e "$slow_names" ] && LD_PRELOAD="$slow_names" spmv-spgemm --version >version 2>&1; then
    kill_rank 2 env SPMV_SLOW=300000 LD_PRELOAD="$slow_names" spmv-spgemm large.csr -o C.mtx
fi
rm -f version
cat old.csr
ls -A
