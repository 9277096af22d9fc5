/* binsparse.c -- the Binary Sparse Format as a file format.
 *
 * HDF5 1.10, which Debian 12 has, itself reads beyond its memory in damaged files; so a file is
 * handed to it only when the user says what it is, and never because of its content. */
#include "formats/common/file_format.h"
#include "formats/binsparse/binsparse.h"

const spmv__file_format spmv__binsparse_file = {
    .info = {.name = "binsparse",
             .suffixes = ".h5 .hdf5",
             .summary =
                 "Binary Sparse Format in HDF5: CSR, CSC, COO and kin; read when it is named only",
             .reads = true,
             .writes = true},
    .only_by_name = true,
    .read = spmv__binsparse_read,
    .write = spmv__binsparse_write,
};
