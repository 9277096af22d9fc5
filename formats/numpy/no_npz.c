/* no_npz.c -- SciPy's files in a build without libarchive: recognised, and refused. */
#include "formats/common/file_format.h"
#include "formats/numpy/npz.h"

const spmv__file_format spmv__npz_file = {
    .info = {.name = "npz",
             .suffixes = ".npz",
             .summary = "SciPy sparse matrix (not in this build)"},
    .recognise = spmv__npz_recognise,
    .lacking = "SciPy's .npz files: it has no libarchive",
};
