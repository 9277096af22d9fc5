#!/bin/bash
# Finite numbers that single precision turns into infinities and zeros are told, wherever they are
# rounded, with how many there are and the first of them; and --verify and spmv-bench compare with
# what was read.
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 1\n1 2 1e39\n2 2 1e-46\n2 3 -4e38\n' >m.mtx
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 0.5 1e300\n' >c.mtx
printf '%s\n' 1 1e-40 1e39 >x.txt # the second one has few digits, and that is no loss
printf '%s\n' 1e-60 1 >y.txt
quiet() { "$@" >output && echo "status $?"; }
quiet spmv-run "$TESTDATA/good/worked.mtx" --transpose -x x.txt --precision f32
quiet spmv-run m.mtx -y y.txt --beta 2 --precision f32
quiet spmv-run m.mtx
spmv-convert m.mtx o.csr --values f32
spmv-convert m.mtx o.csr --values pattern --force
spmv-convert c.mtx c.csr --values c64
spmv-convert o.csr f32.csr --precision f32
printf '%s\n' 1 1e-10 1e-10 >x.txt
spmv-run m.mtx -x x.txt --precision f32 --verify -o z.mtx
echo "status $?"
spmv-bench m.mtx -k cpu-csr --precision f32 --min-time 0.01 --warm-only --format csv 2>errors >output
echo "status $?"
grep warning errors
# What is wrong may be either part of a complex number.
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1e300 1\n' >C.mtx
echo 2 >x.txt
spmv-run C.mtx -x x.txt --verify --precision f32 -o y.mtx 2>&1 | sed 's/[+-]nan/ nan/'
