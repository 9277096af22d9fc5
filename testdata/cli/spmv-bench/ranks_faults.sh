#!/bin/bash
# A process that is killed while it measures ends all others, be it the first one or not, within 5 seconds.
has_ranks || exit 77
spmv-gen rmat --scale 8 -o A.csr
cat >for_long <<'SCRIPT'
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec spmv-bench A.csr --min-time 100 -o out.json
SCRIPT
for killed in 0 1; do
    rm -f pid.*
    most=50
    timeout 60 bash -c 'on_ranks "$@"' - 3 sh for_long 2>noise &
    for _ in {1..200}; do
        [ "$(cat pid.* 2>/dev/null | wc -l)" = 3 ] && break
        sleep 0.1
    done
    sleep 1
    kill -KILL "$(cat pid.$killed)"
    while kill -0 $! 2>/dev/null && [ $((most--)) -gt 0 ]; do sleep 0.1; done
    [ $most -gt 0 ] || echo 'it goes on and on'
    wait $! && echo 'nobody notices'
    for rank in 0 1 2; do # nobody may have asked yet how they ended
        grep -s '^State' "/proc/$(cat pid.$rank)/status" | grep -v zombie
    done
done
ls
