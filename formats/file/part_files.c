/* part_files.c -- a file whose rows go to several ranks, or come from them. */
#include "core/comm/transport.h"
#include "core/parts/partition.h"
#include "formats/binary/binary.h"
#include "formats/file/any_file.h"
#include "formats/mtx/mtx.h"

#include <sys/stat.h>

/* Returns whether a file may be read by all ranks: the options ask for nothing that only one
 * process can say, or do before it knows all of the matrix. */
static bool can_share(const char *path, const spmv_read_options *options)
{
    struct stat info;
    return options->member == NULL && !options->keep_symmetry &&
           options->complex_values == SPMV_COMPLEX_KEEP && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode);
}

/* What is in a file that all ranks can read. */
typedef enum shared_kind {
    SHARED_NONE,   /* only one can */
    SHARED_BINARY, /* rows of CSR, perhaps */
    SHARED_MTX     /* lines */
} shared_kind;

static shared_kind find_kind(const spmv__source *src, const spmv_read_options *options)
{
    const spmv__file_format *format = spmv__file_format_by_content(src);
    const char *named = options->file_format;
    if (format == NULL || src->mapped == NULL) return SHARED_NONE;
    if (named != NULL && strcmp(named, format->info.name) != 0) return SHARED_NONE;
    if (format == &spmv__mtx_file) return SHARED_MTX;
    return format == &spmv__binary_file && !options->drop_zeros ? SHARED_BINARY : SHARED_NONE;
}

/* The kind that all ranks see.  Errors: UNSUPPORTED (there is none). */
static spmv_status agree_on_kind(shared_kind *out, spmv_comm *comm, const spmv__source *src,
                                 const spmv_read_options *options)
{
    shared_kind first = find_kind(src, options);
    *out = first;
    spmv__comm_broadcast(comm, &first, sizeof first, 0);
    const bool same = *out == first && first != SHARED_NONE;
    return spmv_comm_agree(comm, same ? SPMV_SUCCESS : SPMV_ERROR_UNSUPPORTED, NULL);
}

/* What rows are called, which rank 0 learns as spmv_read would. */
static spmv_status find_labels(spmv_labels *out, const spmv_part *part, shared_kind kind,
                               const spmv__source *src, const spmv_read_options *options)
{
    const spmv_matrix shape = {.head = {.rows = part->rows, .cols = part->cols}};
    out->first = kind == SHARED_MTX && options->index_base == SPMV_BASE_0 ? 0 : 1;
    out->n = part->rows;
    return kind == SHARED_BINARY ? spmv__binary_labels(out, &shape, src, options, NULL)
                                 : SPMV_SUCCESS;
}

/* Have each rank take its rows, or some lines, from the file. */
static spmv_status read_shares(spmv_part *out, spmv_comm *comm, const char *path, spmv_partition by,
                               const spmv_read_options *options, spmv_file_info *info)
{
    spmv__source src = {0};
    spmv_part part = {0};
    spmv_labels labels = {0};
    shared_kind kind;
    spmv_status st = can_share(path, options) ? SPMV_SUCCESS : SPMV_ERROR_UNSUPPORTED;
    SPMV__TRY(spmv_comm_agree(comm, st, NULL));
    SPMV__TRY(spmv_comm_agree(comm, spmv__source_open(&src, path, NULL, NULL), NULL));
    SPMV__TRY(agree_on_kind(&kind, comm, &src, options));
    SPMV__TRY(kind == SHARED_BINARY ? spmv__binary_read_part(&part, comm, &src, by)
                                    : spmv__mtx_read_part(&part, comm, &src, by, options));
    if (comm->rank == 0) st = find_labels(&labels, &part, kind, &src, options);
    SPMV__TRY(spmv_comm_agree(comm, st, NULL));
    *info = (spmv_file_info){.file_format = spmv__file_format_by_content(&src)->info.name,
                             .entries = part.nnz,
                             .bytes = src.size,
                             .smallest_id = -1,
                             .has_values = kind == SHARED_MTX && part.own.type != SPMV_PATTERN,
                             .labels = labels};
    *out = part;
    part = (spmv_part){0};
    labels = (spmv_labels){0};
done:
    spmv_part_destroy(&part);
    spmv_labels_destroy(&labels);
    spmv__source_close(&src);
    return st;
}

spmv_status spmv_read_part(spmv_part *out, spmv_comm *comm, const char *path, spmv_partition by,
                           const spmv_read_options *options, spmv_file_info *info, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_part){0};
    if (info != NULL) *info = (spmv_file_info){0};
    SPMV__REQUIRE(comm != NULL && path != NULL, err);
    SPMV__REQUIRE(by != SPMV_PARTITION_GIVEN, err);
    spmv_matrix A = {0};
    spmv_file_info facts = {0};
    spmv_status st;
    if (options == NULL) options = &spmv__read_defaults;
    st = by != SPMV_PARTITION_NONZEROS ? read_shares(out, comm, path, by, options, &facts)
                                       : SPMV_ERROR_UNSUPPORTED;
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

/* ---- Writing -------------------------------------------------------------------------------- */

/* Rank 0 writes what it gets of all. */
static spmv_status write_collected(const spmv_part *part, spmv_comm *comm, const char *path,
                                   const spmv_write_options *options, spmv_error *err)
{
    spmv_matrix A = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_collect(&A, comm, part, err));
    if (comm->rank == 0) st = spmv_write(&A, path, options, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
done:
    spmv_destroy(&A);
    return st;
}

/* To a binary file at once where that can be; rank 0 knows the words for what cannot. */
static spmv_status write_binary(const spmv_part *part, spmv_comm *comm, const char *path,
                                const spmv_write_options *options, spmv_error *err)
{
    const spmv_matrix shape = {.head = {.rows = part->rows, .cols = part->cols}};
    const spmv_labels labels = spmv__labels_to_write(&shape, options);
    const spmv_status st = spmv__binary_write_part(part, comm, path, options, &labels, err);
    if (st != SPMV_ERROR_UNSUPPORTED) return st;
    return write_collected(part, comm, path, options, err);
}

spmv_status spmv_write_part(const spmv_part *part, spmv_comm *comm, const char *path,
                            const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(part != NULL && comm != NULL && path != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    const spmv__file_format *format;
    const spmv_status st = spmv__file_format_for_output(&format, path, options, err);
    if (st != SPMV_SUCCESS) return st;
    if (format == &spmv__binary_file) return write_binary(part, comm, path, options, err);
    if (format == &spmv__mtx_file) return spmv__mtx_write_part(part, comm, path, options, 0, err);
    return write_collected(part, comm, path, options, err);
}
