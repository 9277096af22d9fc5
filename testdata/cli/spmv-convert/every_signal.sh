#!/bin/bash
# Whatever signal ends a tool, it dies of that signal and leaves no temporary file.
ulimit -c 0
export ASAN_OPTIONS=$ASAN_OPTIONS:handle_segv=0:handle_sigfpe=0 # handlers that come first stay
printf '%%%%MatrixMarket matrix coordinate pattern general\n8000000 1 1\n1 1\n' >A.mtx
for signal in HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM STKFLT XCPU VTALRM \
    PROF IO PWR SYS RTMIN RTMAX; do
    for _ in 1 2 3 4 5; do
        env --default-signal spmv-convert A.mtx B.csr 2>stderr &
        while kill -0 $! && [ ! -e B.csr ] && ! compgen -G '.*.tmp' >/dev/null; do :; done
        kill -$signal $!
        wait $!
        status=$?
        [ ! -e B.csr ] && break
        rm B.csr
    done 2>/dev/null
    [ "$status" = $((128 + $(kill -l $signal))) ] || echo "$signal: status $status"
    ! compgen -G '.*.tmp' || { echo "$signal leaves a temporary file" && rm .*.tmp; }
    [ ! -s stderr ] || cat stderr
done
