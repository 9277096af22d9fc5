# lib.sh -- what the scripts share: talking, packages, configuring.  Sourced, never run.
# shellcheck shell=bash disable=SC2034 # whoever sources this uses the variables

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
jobs=$(nproc)

say() { printf '%s\n' "$*"; }
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Show a command as the reader would type it, then run it.
show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# The first C program of the README, and what it prints.
readme_example() {
    awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$root/README.md" >"$1"
    grep -q '#include <spmv.h>' "$1" || die "README.md holds no C example"
}
readme_says() { sed -n 's|.*/\* prints \(.*\) \*/$|\1|p' "$root/README.md" | head -n 1; }

# copy_tree FOLDER: what git tracks, or would track.
copy_tree() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - |
        tar -x -C "$1"
}

# ---- Packages ----------------------------------------------------------------------------------

# "package: the command that succeeds when what it brings is there".  Presence is asked of the
# machine and not of dpkg, so that tools from elsewhere count.
build_needs='
gcc: command -v cc
g++: command -v c++
libc6-dev: has_header stdio.h
make: command -v make || command -v ninja
cmake: command -v cmake
libxxhash-dev: has_header xxhash.h
libcjson-dev: has_header cjson/cJSON.h
libdragonbox-dev: compgen -G "/usr/include/dragonbox*/dragonbox/dragonbox.h"
libfast-float-dev: compgen -G "/usr/include/fast_float/fast_float.h"
libisal-dev: has_header isa-l/igzip_lib.h
zlib1g-dev: has_header zlib.h
libbz2-dev: has_header bzlib.h
liblzma-dev: has_header lzma.h
libzstd-dev: has_header zstd.h
libarchive-dev: has_header archive.h
libhdf5-dev: has_header hdf5.h || has_header hdf5/serial/hdf5.h
libexpat1-dev: has_header expat.h
libmatio-dev: has_header matio.h
libmetis-dev: has_header metis.h
libpng-dev: has_header png.h
libopenmpi-dev: echo "#include <mpi.h>" | mpicc -E -x c -
openmpi-bin: command -v mpirun
mmio: find_mmio'
test_needs='
libgraphblas-dev: has_header GraphBLAS.h || has_header suitesparse/GraphBLAS.h
libcriterion-dev: has_header criterion/criterion.h
pkg-config: command -v pkg-config
python3: command -v python3
python3-jsonschema: python3 -W ignore -c "import jsonschema"
python3-scipy: /usr/bin/python3 -c "import scipy.sparse"
python3-h5py: /usr/bin/python3 -c "import h5py"
dpkg-dev: command -v dpkg-shlibdeps
file: command -v file
clang-format-14: command -v clang-format-14
curl: command -v curl
sqlite3: command -v sqlite3
shellcheck: command -v shellcheck
abigail-tools: command -v abidiff
man-db: command -v man
groff: groff -T utf8 -man -z /dev/null'
fuzz_needs='
clang-14: command -v clang-14
libclang-rt-14-dev: echo "int LLVMFuzzerTestOneInput(void) { return 0; }" | clang-14 -fsanitize=fuzzer -x c - -o /dev/null'
coverage_needs='
gcovr: command -v gcovr'

has_header() { printf '#include <%s>\n' "$1" | cc -E -; }

# The Matrix Market routines of NIST are two source files in a package of examples, whose full
# dependencies are of no use here: only the two files are unpacked, into build-mmio.
find_mmio() {
    [ -n "${SPMV_MMIO_DIR:-}" ] && return
    local file
    for file in "$root"/build-mmio/*mmio.h /usr/share/petsc/*/share/petsc/examples/src/mat/tests/*mmio.h; do
        if [ -r "$file" ]; then
            SPMV_MMIO_DIR=${file%/*}
            return
        fi
    done
    return 1
}

fetch_mmio() {
    local package scratch
    package=$(apt-cache search --names-only '^libpetsc[0-9.]+-dev-examples$' | cut -d ' ' -f 1 | tail -n 1)
    [ -n "$package" ] || die "no libpetsc*-dev-examples package here; set SPMV_MMIO_DIR to the folder of mmio.[ch]"
    say "Unpacking mmio.[ch] of $package into build-mmio"
    scratch=$(mktemp -d)
    (cd "$scratch" && apt-get -q -o APT::Sandbox::User=root download "$package" && dpkg -x ./*.deb .)
    mkdir -p build-mmio
    cp "$scratch"/usr/share/petsc/*/share/petsc/examples/src/mat/tests/*mmio.[ch] build-mmio
    rm -rf "$scratch"
}

# missing LIST: the packages of LIST whose command fails.
missing() {
    local package check
    while IFS=: read -r package check; do
        [ -z "$package" ] || eval "$check" >/dev/null 2>&1 || printf '%s ' "$package"
    done <<<"$1"
}

# install_missing LIST: install what is missing, through apt and only through apt.
install_missing() {
    local packages sudo=""
    packages=$(missing "$1")
    if [ -n "$packages" ]; then
        command -v apt-get >/dev/null ||
            die "missing: $packages; there is no apt-get, so please install them your way"
        if [ "$(id -u)" != 0 ]; then
            command -v sudo >/dev/null ||
                die "missing: $packages; please become root, or install them as root"
            sudo=sudo
        fi
        say "Installing what is missing: $packages"
        $sudo apt-get -q update
        # shellcheck disable=SC2086 # one word per package
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
            ${packages//mmio /} >/dev/null
        case " $packages" in *" mmio "*) fetch_mmio ;; esac
        packages=$(missing "$1")
        [ -z "$packages" ] || die "still missing after the installation: $packages"
    fi
    find_mmio
}

# ---- Building ----------------------------------------------------------------------------------

# configure PRESET [CMAKE-OPTION...].  A folder that was configured in another place starts afresh.
configure() {
    local preset=$1 folder=build fresh=()
    shift
    [ "$preset" = default ] || folder=build-$preset
    if [ -f "$folder/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        fresh=(--fresh)
    fi
    if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
    cmake --preset "$preset" "${fresh[@]}" -DSPMV_MMIO_DIR="$SPMV_MMIO_DIR" "$@"
}
