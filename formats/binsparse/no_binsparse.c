/* no_binsparse.c -- the Binary Sparse Format in a build without HDF5: known, and refused. */
#include "formats/common/file_format.h"

const spmv__file_format spmv__binsparse_file = {
    .info = {.name = "binsparse",
             .suffixes = ".h5 .hdf5",
             .summary = "Binary Sparse Format in HDF5 (not in this build)"},
    .lacking = "binsparse files: it has no HDF5 library",
    .only_by_name = true,
};
