/* label_section.c -- what a binary file calls its rows.
 *
 * A base of 0 is a bit of the header; labels with gaps are a section, which readers that do not
 * know it pass over.  What kind they are its elements say: i64 are integers, utf8 are words with a
 * 0 after each. */
#include "formats/common/file_format.h"
#include "formats/binary/binary.h"
#include "formats/common/name.h"

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

/* ---- Integers ------------------------------------------------------------------------------- */

static spmv_status check_size(const spmv__binary_section *s, int64_t rows, const spmv__source *src,
                              spmv_error *err)
{
    if (s->size / sizeof(int64_t) == (uint64_t)rows && s->size % sizeof(int64_t) == 0)
        return SPMV_SUCCESS;
    return SPMV__BINARY_INVALID(
        src, err, "section labels: its size is %" PRIu64 " bytes for %" PRId64 " rows", s->size,
        rows);
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

static spmv_status take_integers(spmv_labels *out, int64_t rows, const spmv__binary_section *s,
                                 const spmv__source *src, spmv_error *err)
{
    int64_t *id = NULL;
    spmv_status st;
    SPMV__TRY(check_size(s, rows, src, err));
    SPMV__TRY(spmv__alloc(&id, rows, sizeof *id, "labels", err));
    if (s->size > 0) memcpy(id, src->data + s->offset, (size_t)s->size);
    SPMV__TRY(check_order(id, rows, src, err));
    spmv__labels_take(out, id, rows);
    id = NULL;
done:
    free(id);
    return st;
}

/* ---- Words ---------------------------------------------------------------------------------- */

/* Find where each word begins.  A row takes 2 bytes at least, so that no more memory is asked for
 * than the file accounts for. */
static spmv_status find_words(spmv_labels *labels, int64_t size, const spmv__source *src,
                              spmv_error *err)
{
    const char *p = labels->names, *end = p + size;
    int64_t i = 0;
    for (; i < labels->n && p < end; i++) {
        const char *stop = memchr(p, '\0', (size_t)(end - p));
        if (stop == NULL) break;
        labels->name_ptr[i] = p - labels->names;
        p = stop + 1;
    }
    labels->name_ptr[labels->n] = size;
    if (i == labels->n && p == end) return SPMV_SUCCESS;
    return SPMV__BINARY_INVALID(
        src, err, "section labels: it does not hold %" PRId64 " words, each followed by a 0",
        labels->n);
}

static spmv_status check_words(const spmv_labels *labels, const spmv__source *src, spmv_error *err)
{
    for (int64_t i = 0; i < labels->n; i++) {
        const char *name = labels->names + labels->name_ptr[i];
        const int64_t length = labels->name_ptr[i + 1] - labels->name_ptr[i] - 1;
        const char *fault =
            spmv__name_fault((const unsigned char *)name, (const unsigned char *)name + length);
        if (fault != NULL) return SPMV__BINARY_INVALID(src, err, "label %" PRId64 " %s", i, fault);
        if (i > 0 && strcmp(name, labels->names + labels->name_ptr[i - 1]) <= 0)
            return SPMV__BINARY_INVALID(
                src, err, "label %" PRId64 " does not come after the one before it", i);
    }
    return SPMV_SUCCESS;
}

static spmv_status take_words(spmv_labels *out, int64_t rows, const spmv__binary_section *s,
                              const spmv__source *src, spmv_error *err)
{
    const int64_t size = (int64_t)s->size;
    spmv_labels labels = {.n = rows, .first = out->first};
    spmv_status st;
    if (rows > size / 2)
        return SPMV__BINARY_INVALID(
            src, err, "section labels: its size is %" PRIu64 " bytes for %" PRId64 " rows", s->size,
            rows);
    SPMV__TRY(spmv__alloc(&labels.name_ptr, rows + 1, sizeof *labels.name_ptr, "labels", err));
    SPMV__TRY(spmv__alloc(&labels.names, size, 1, "labels", err));
    if (size > 0) memcpy(labels.names, src->data + s->offset, (size_t)size);
    SPMV__TRY(find_words(&labels, size, src, err));
    SPMV__TRY(check_words(&labels, src, err));
    *out = labels;
    labels = (spmv_labels){0};
done:
    spmv_labels_destroy(&labels);
    return st;
}

/* ---- Either --------------------------------------------------------------------------------- */

static const struct label_kind {
    const char *element;
    spmv_status (*take)(spmv_labels *out, int64_t rows, const spmv__binary_section *s,
                        const spmv__source *src, spmv_error *err);
} kinds[] = {{"i64", take_integers}, {SPMV__BINARY_WORDS, take_words}};

spmv_status spmv__binary_labels(spmv_labels *out, const spmv_matrix *A, const spmv__source *src,
                                const spmv_read_options *options, spmv_error *err)
{
    const spmv__binary_section *s = find_section(src);
    out->first = (spmv__binary_header_of(src)->optional & SPMV__BINARY_FROM_0) != 0 ? 0 : 1;
    if (s == NULL) return SPMV_SUCCESS;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (!spmv__binary_name_is(&s->element, kinds[k].element)) continue;
        if (A->head.rows != A->head.cols)
            return SPMV__BINARY_INVALID(src, err, "the matrix has labels, but is not square");
        return kinds[k].take(out, A->head.rows, s, src, err);
    }
    return spmv__warn(src, options, 0, 0, err,
                      "the file has labels of the kind '%s', which is not known to this version: "
                      "rows go by their number",
                      spmv__binary_printable(&s->element).text);
}
