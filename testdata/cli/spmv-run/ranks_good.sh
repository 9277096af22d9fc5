#!/bin/bash
# Every good file is multiplied by three processes as by one, or refused, and warned of, with the same
# words; what is too large for memory may be so in another place.  Of two builds each takes
# half of the files: starting processes takes most of the time.
has_ranks || exit 77
spmv-run -V -v | grep -q 'build type: Debug' && half=0 || half=1
for file in "$TESTDATA"/good/*.*; do
    case $file in *.expect) continue ;; esac
    files=$((files + 1))
    [ $((files % 2)) = "$half" ] || continue
    spmv-run "$file" -x random -k cpu-csr -o one.mtx 2>one.err
    one=$?
    on_ranks 3 spmv-run "$file" -x random -o many.mtx 2>noise
    many=$?
    grep '^spmv-run: ' noise >many.err
    if [ $one = 5 ]; then
        [ $many = 0 ] && echo "$file: who has the memory?"
    else
        [ $one = $many ] && cmp one.err many.err || echo "$file: status $many, not $one"
        [ $one != 0 ] || cmp one.mtx many.mtx || echo "$file: another y"
    fi
    rm -f one.mtx many.mtx
done
[ "$files" -gt 70 ] && echo 'all of them'
