/* label_section.c -- what a binary file calls its rows.
 *
 * A base of 0 is a bit of the header; labels with gaps are a section, which readers that do not
 * know it pass over.  What kind they are its elements say: i64 are integers, others are to come. */
#include "formats/common/file_format.h"
#include "formats/binary/binary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const spmv__binary_section *find_section(const spmv__source *src)
{
    const spmv__binary_section *table = spmv__binary_table_of(src);
    for (uint32_t i = 0; i < spmv__binary_header_of(src)->section_count; i++)
        if (table[i].flags == SPMV__BINARY_OPTIONAL &&
            spmv__binary_name_is(&table[i].name, SPMV__BINARY_LABELS))
            return &table[i];
    return NULL;
}

static spmv_status check_size(const spmv__binary_section *s, const spmv_matrix *A,
                              const spmv__source *src, spmv_error *err)
{
    if (A->head.rows != A->head.cols)
        return SPMV__BINARY_INVALID(src, err, "the matrix has labels, but is not square");
    if (s->size / sizeof(int64_t) == (uint64_t)A->head.rows && s->size % sizeof(int64_t) == 0)
        return SPMV_SUCCESS;
    return SPMV__BINARY_INVALID(
        src, err, "section labels: its size is %" PRIu64 " bytes for %" PRId64 " rows", s->size,
        A->head.rows);
}

static spmv_status check_order(const int64_t *id, int64_t n, const spmv__source *src,
                               spmv_error *err)
{
    if (n > 0 && id[0] < 0)
        return SPMV__BINARY_INVALID(src, err, "label 0 is %" PRId64 ", which is negative", id[0]);
    for (int64_t i = 1; i < n; i++)
        if (id[i] <= id[i - 1])
            return SPMV__BINARY_INVALID(
                src, err, "label %" PRId64 " is %" PRId64 ", but the one before it is %" PRId64, i,
                id[i], id[i - 1]);
    return SPMV_SUCCESS;
}

spmv_status spmv__binary_labels(spmv_labels *out, const spmv_matrix *A, const spmv__source *src,
                                const spmv_read_options *options, spmv_error *err)
{
    const spmv__binary_section *s = find_section(src);
    int64_t *id = NULL;
    spmv_status st = SPMV_SUCCESS;

    out->first = (spmv__binary_header_of(src)->optional & SPMV__BINARY_FROM_0) != 0 ? 0 : 1;
    if (s == NULL) return SPMV_SUCCESS;
    if (!spmv__binary_name_is(&s->element, "i64"))
        return spmv__warn(src, options, 0, 0, err,
                          "the file has labels of the kind '%s', which is not known to this "
                          "version: rows go by their number",
                          spmv__binary_printable(&s->element).text);
    SPMV__TRY(check_size(s, A, src, err));
    SPMV__TRY(spmv__alloc(&id, A->head.rows, sizeof *id, "labels", err));
    if (s->size > 0) memcpy(id, src->data + s->offset, (size_t)s->size);
    SPMV__TRY(check_order(id, A->head.rows, src, err));
    spmv__labels_take(out, id, A->head.rows);
    id = NULL;
done:
    free(id);
    return st;
}
