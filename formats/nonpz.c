/* nonpz.c -- SciPy's files in a build without libarchive: recognised, and refused. */
#include "npz.h"

static const char lacking[] = "this build cannot use SciPy's .npz files: it has no libarchive";

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

const spmv__file_format spmv__npz_file = {
    .info = {.name = "npz",
             .suffixes = ".npz",
             .summary = "SciPy sparse matrix (not in this build)"},
    .recognise = spmv__npz_recognise,
    .read = read_nothing,
    .write = write_nothing,
};
