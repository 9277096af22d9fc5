#!/bin/bash
# build.sh -- run by `conda build` in the folder of the source: configure, build, install into PREFIX.
set -euo pipefail
# shellcheck disable=SC2086 # CMAKE_ARGS are words, of conda's compilers
cmake -S . -B build-conda -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF ${CMAKE_ARGS:-} \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DSPMV_CUDA=OFF -DSPMV_MMIO_DIR="$SRC_DIR/petsc/src/mat/tests" \
    -DSPMV_INCLUDE_DRAGONBOX="$SRC_DIR/dragonbox/include" \
    -DSPMV_WITH_MPI=OFF -DSPMV_WITH_GRAPHBLAS=OFF -DSPMV_WITH_MKL=OFF -DSPMV_WITH_CRITERION=OFF
cmake --build build-conda -j "${CPU_COUNT:-1}"
cmake --install build-conda
