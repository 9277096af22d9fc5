# mutate.sh -- break a copy of the tree in one place after another, to see whether a check notices.
# Sourced instead of lib.sh, never run.
#
# A table has one mutant a line: a name, a file from the root of the tree, and what sed -E does to
# it, with tabs between them; a fourth field is a remark, and lines with # are, too.
# shellcheck shell=bash source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# mutants_copy TARGET...: what git tracks goes to $mutants, in build/, and these targets are built
# there, for the CPU, in $mutants/build.
mutants_copy() {
    find_mmio || die "the Matrix Market routines of NIST are not here; scripts/quickstart brings them"
    mutants=$root/build/${0##*/}
    mutants_targets=("$@")
    rm -rf "$mutants"
    mkdir -p "$mutants"
    git ls-files -z | xargs -0 cp --parents -t "$mutants"
    if command -v ccache >/dev/null; then
        export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
    cmake -S "$mutants" -B "$mutants/build" -DCMAKE_BUILD_TYPE=Release -DSPMV_CUDA=OFF \
        -DSPMV_MMIO_DIR="$SPMV_MMIO_DIR" >"$mutants/log" 2>&1 || die "see $mutants/log"
    mutants_build || die "the tree does not build: see $mutants/log"
}

mutants_build() {
    cmake --build "$mutants/build" -j "$jobs" --target "${mutants_targets[@]}" \
        >"$mutants/log" 2>&1
}

# is_wanted NAME [NAME...]: is the first among the others, if there are others?
is_wanted() {
    local name=$1 other
    shift
    [ $# -gt 0 ] || return 0
    for other in "$@"; do [ "$name" != "$other" ] || return 0; done
    return 1
}

# mutants_check TABLE SEES [NAME...]: `SEES NAME`, run in $mutants, succeeds where it notices the
# mutant of that name.  Fails when it misses one; and, before all, when it notices what is not broken.
mutants_check() {
    local table=$1 sees=$2 name file change begin missed=0 found=0
    shift 2
    if [ $# = 0 ] && (cd "$mutants" && "$sees" unbroken); then
        die "the tree is noticed as it is: see $mutants/output"
    fi
    while IFS=$'\t' read -r name file change _; do
        case $name in '' | '#'*) continue ;; esac
        is_wanted "$name" "$@" || continue
        sed -E "$change" "$root/$file" >"$mutants/$file"
        ! cmp -s "$root/$file" "$mutants/$file" || die "$name: $file has no such place"
        mutants_build || die "$name: does not compile; see $mutants/log"
        begin=$SECONDS
        if (cd "$mutants" && "$sees" "$name"); then
            found=$((found + 1))
            say "$name: found after $((SECONDS - begin)) s"
        else
            missed=$((missed + 1))
            say "$name: MISSED"
        fi
        cp "$root/$file" "$mutants/$file"
    done <"$table"
    say "$found mutants found, $missed missed"
    [ $missed = 0 ] && [ $found -gt 0 ]
}
