/* nobinsparse.c -- the Binary Sparse Format in a build without HDF5: known, and refused. */
#include "io.h"

static const char lacking[] = "this build cannot use binsparse files: it has no HDF5 library";

static spmv_status read_nothing(spmv_matrix *out, spmv__source *src,
                                const spmv_read_options *options, spmv_file_info *info,
                                spmv_error *err)
{
    (void)out, (void)options, (void)info;
    return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0, "%s", lacking);
}

static spmv_status write_nothing(const spmv_matrix *A, const char *path,
                                 const spmv_write_options *options, spmv_error *err)
{
    (void)A, (void)path, (void)options;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "%s", lacking);
}

const spmv__file_format spmv__binsparse_file = {
    .info = {.name = "binsparse",
             .suffixes = ".h5 .hdf5",
             .summary = "Binary Sparse Format in HDF5 (not in this build)"},
    .only_by_name = true,
    .read = read_nothing,
    .write = write_nothing,
};
