/* read_binary.c -- a binary file to a matrix that uses the file's memory.
 *
 * Nothing is used before it is checked.  In this order: header and seal, the places of the
 * sections, their sizes against what the header implies (all O(sections)); then, unless the caller
 * trusts the file, the checksums and every promise of the format (O(nnz)).  Indices that lead to
 * where something is written are copied first: the file may change. */
#include "formats/common/file_format.h"
#include "formats/binary/binary.h"
#include "formats/stream/own_indices.h"

#include <inttypes.h>

/* The O(nnz) checks: the bytes are as they were written, and they make a valid matrix. */
static spmv_status verify(const spmv_matrix *A, const spmv__source *src,
                          const spmv_read_options *options, spmv_error *err)
{
    const spmv__binary_section *table = spmv__binary_table_of(src);
    spmv_error reason;
    spmv_status st;

    for (uint32_t i = 0; i < spmv__binary_header_of(src)->section_count; i++) {
        uint64_t sum = spmv__binary_checksum(src->data + table[i].offset, (int64_t)table[i].size);
        if (sum != table[i].checksum)
            return SPMV__BINARY_INVALID(src, err,
                                        "section %" PRIu32 " (%s) is damaged: its checksum is "
                                        "%016" PRIx64 ", expected %016" PRIx64,
                                        i, spmv__binary_printable(&table[i].name).text, sum,
                                        table[i].checksum);
        spmv__report(options->progress, options->user, "checking",
                     (int64_t)(table[i].offset + table[i].size), src->size);
    }
    st = spmv_check(A, &reason);
    if (st != SPMV_SUCCESS) return spmv__source_fail(src, err, st, 0, 0, "%s", reason.message);
    return SPMV_SUCCESS;
}

/* The matrix stays in the file's memory, which it then owns, unless the options ask for changes. */
static spmv_status read_binary(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info,
                               spmv_error *err)
{
    spmv_matrix A = {0}, mapped;
    spmv_status st;

    SPMV__TRY(spmv__binary_check_header(src, err));
    SPMV__TRY(spmv__binary_check_table(src, err));
    SPMV__TRY(spmv__binary_map(&mapped, src, err));
    A = mapped;
    A.head.storage = src->storage;
    src->storage = NULL;
    if (!options->trust) {
        const bool expands = A.head.symmetry != SPMV_GENERAL && !options->keep_symmetry;
        SPMV__TRY(spmv__own_indices(&A, expands || options->drop_zeros, err));
        SPMV__TRY(verify(&A, src, options, err));
    }
    info->entries = A.head.nnz;
    info->symmetry = A.head.symmetry;
    SPMV__TRY(spmv__binary_labels(&info->labels, &A, src, options, err));
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){0};
done:
    spmv_destroy(&A);
    return st;
}

#define X(id, name, meaning) " ." #name
#define SUFFIXES (&SPMV_FORMAT_TABLE(X)[1]) /* without the first blank */
const spmv__file_format spmv__binary_file = {
    .info = {.name = "binary",
             .suffixes = SUFFIXES,
             .summary = "the matrix as it lies in memory, mapped when read",
             .reads = true,
             .writes = true,
             .labels = true},
    .recognise = spmv__binary_recognise,
    .read = read_binary,
    .write = spmv_write_binary,
    .rows = &spmv__binary_rows,
};
