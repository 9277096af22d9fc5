#!/bin/bash
# Every file of testdata/good and testdata/graphs is accepted, with exactly the warnings expected.
for folder in good graphs; do
    cd "$TESTDATA/$folder" || exit
    mapfile -d '' files < <(find . -type f ! -name '*.expect' -print0)
    spmv-convert --check "${files[@]}" 2>"$OLDPWD/lines"
    echo $?
    cd "$OLDPWD" || exit
    for file in "$TESTDATA/$folder"/*.expect; do
        name=$(basename "$file" .expect)
        grep -F "./$name." lines >warnings
        sed -n 's/^warning //p' "$file" >expected
        while read -r place phrase <&3 && read -r line <&4; do
            [ "$place" = 0:0 ] && place= || place=:$place
            case $line in
            "spmv-convert: warning: ./$name."*"$place: "*"$phrase"*) ;;
            *) echo "$name: expected $place '$phrase', got: $line" ;;
            esac
        done 3<expected 4<warnings
        [ "$(wc -l <warnings)" = "$(wc -l <expected)" ] || { echo "$name: number of warnings"; cat warnings; }
    done
done
