#!/bin/bash
# What would have no effect is refused, rather than left out; on a file of another format it is a
# warning.
cp "$TESTDATA/good/worked.mtx" A.mtx
spmv-convert A.mtx A.csr
printf '0 1 2\n' >A.el
for words in '--format csv' '--match A.mtx -o F' '--output-dir F -o G' '--output-dir F --map G' '--check -o F' '--info -o F' '--info --map F' '--spy S.svg --json F' '--spy S.svg -o F' \
    '--list-formats -o F'; do
    # shellcheck disable=SC2086 # several words
    spmv-convert $words A.mtx
    echo $?
done
for option in '--values f32' '--precision f32' --transpose --drop-zeros '--to csr' '--ell-width 3' \
    '--hyb-width 3' '--sell-slice 32' '--sell-window 64'; do
    for mode in --check --info '--spy S.svg' --list-formats; do
        # shellcheck disable=SC2086 # several words
        spmv-convert $mode $option A.mtx 2>&1 >/dev/null | head -1
    done
done
for option in '--from mtx' '--duplicates sum' --count-repeated '--complex abs' '--index-base 1' --all-ids --undirected \
    --skip-invalid --strict --trust '--member m' '--symmetric keep'; do
    # shellcheck disable=SC2086 # several words
    spmv-convert --list-formats $option 2>&1 >/dev/null | head -1
done
for words in '--list-formats A.mtx' '--check --trust A.csr' '--info --symmetric keep A.mtx' '--seed 3 A.mtx B.csr' '--device cpu A.mtx B.csr' '--values f32 --precision f32 A.mtx B.csr' \
    '--duplicates last --count-repeated A.el B.csr' '--ell-width 3 A.mtx B.csr' '--hyb-width 3 A.mtx B.ell' \
    '--sell-slice 32 A.mtx B.hyb' '--sell-window 64 A.mtx B.mtx'; do
    # shellcheck disable=SC2086 # several words
    spmv-convert $words 2>&1 | head -1
done
for option in '--duplicates last' --count-repeated '--index-base 0' --all-ids --skip-invalid --trust; do
    [ "$option" = --trust ] && mode=--info || mode=--check
    for file in A.mtx A.el A.csr "$TESTDATA/graphs/house_metis.graph"; do
        # shellcheck disable=SC2086 # several words
        spmv-convert $option $mode $file 2>&1 >/dev/null | sed "s|$TESTDATA|T|"
    done
done
ls
