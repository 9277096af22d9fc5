/* part_files.c -- a file whose rows go to several ranks. */
#include "core/comm/transport.h"
#include "formats/binary/binary.h"
#include "formats/file/any_file.h"

#include <sys/stat.h>

/* Returns whether the rows of a file may be taken from it as they are: the options ask for nothing
 * that changes them, or that only one process can say. */
static bool takes_rows(const char *path, const spmv_read_options *options)
{
    struct stat info;
    const bool binary = options->file_format == NULL || strcmp(options->file_format, "binary") == 0;
    return binary && options->member == NULL && !options->drop_zeros &&
           options->complex_values == SPMV_COMPLEX_KEEP && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode);
}

/* Have each rank take its rows from the file. */
static spmv_status read_shares(spmv_part *out, spmv_comm *comm, const char *path, spmv_partition by,
                               const spmv_read_options *options, spmv_file_info *info)
{
    spmv__source src = {0};
    spmv_status st = takes_rows(path, options) ? SPMV_SUCCESS : SPMV_ERROR_UNSUPPORTED;
    SPMV__TRY(spmv_comm_agree(comm, st, NULL));
    SPMV__TRY(spmv_comm_agree(comm, spmv__source_open(&src, path, NULL, NULL), NULL));
    SPMV__TRY(spmv__binary_read_part(out, comm, &src, by));
    *info = (spmv_file_info){.file_format = spmv__binary_file.info.name,
                             .entries = out->nnz,
                             .bytes = src.size,
                             .smallest_id = -1};
done:
    spmv__source_close(&src);
    return st;
}

spmv_status spmv_read_part(spmv_part *out, spmv_comm *comm, const char *path, spmv_partition by,
                           const spmv_read_options *options, spmv_file_info *info, spmv_error *err)
{
    static const spmv_read_options defaults = {0};
    SPMV__REQUIRE(out != NULL && comm != NULL && path != NULL, err);
    spmv_matrix A = {0};
    spmv_file_info facts = {0};
    spmv_status st;
    if (options == NULL) options = &defaults;
    st = read_shares(out, comm, path, by, options, &facts);
    if (st != SPMV_SUCCESS) {
        st = comm->rank == 0 ? spmv_read(&A, path, options, &facts, err) : SPMV_SUCCESS;
        SPMV__TRY(spmv_comm_agree(comm, st, err));
        SPMV__TRY(spmv_part_spread(out, comm, &A, by, err));
    }
    if (info != NULL) {
        *info = facts;
        facts.labels = (spmv_labels){0};
    }
done:
    spmv_labels_destroy(&facts.labels);
    spmv_destroy(&A);
    return st;
}
