/* binsparse.c -- the Binary Sparse Format as a file format.
 *
 * HDF5 1.10, which Debian 12 has, itself reads beyond its memory in damaged files; so a file is
 * handed to it only when the user says what it is, and never because of its content. */
#include "formats/file/file_format.h"
#include "formats/binsparse/binsparse.h"

const spmv__binsparse_layout spmv__binsparse_layouts[SPMV__BINSPARSE_LAYOUTS] = {
    {.name = "CSR", .format = SPMV_CSR, .arrays = {"pointers_to_1", "indices_1", "values"}},
    {.name = "CSC", .format = SPMV_CSC, .arrays = {"pointers_to_1", "indices_1", "values"}},
    {.name = "COOR", .format = SPMV_COO, .arrays = {"indices_0", "indices_1", "values"}},
    {.name = "COO", .format = SPMV_COO, .arrays = {"indices_0", "indices_1", "values"}},
    {.name = "COOC",
     .format = SPMV_COO,
     .arrays = {"indices_0", "indices_1", "values"},
     .by_column = true},
    {.name = "DCSR",
     .format = SPMV_COO,
     .arrays = {"indices_0", "indices_1", "values"},
     .pointers = "pointers_to_1"},
    {.name = "DCSC",
     .format = SPMV_COO,
     .arrays = {"indices_1", "indices_0", "values"},
     .by_column = true,
     .pointers = "pointers_to_1",
     .grouped = 1},
};

const spmv__file_format spmv__binsparse_file = {
    .info = {.name = "binsparse",
             .suffixes = ".h5 .hdf5",
             .summary = "Binary Sparse Format in HDF5: CSR, CSC or COO; read by --from only",
             .reads = true,
             .writes = true},
    .only_by_name = true,
    .read = spmv__binsparse_read,
    .write = spmv__binsparse_write,
};
