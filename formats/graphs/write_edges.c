/* write_edges.c -- matrices as edge lists that all programs read: nodes by their labels, and
 * headings in CSV and TSV alone.
 *
 * The programs of the GAP suite stop at the first line that is no edge.  That is why the range of
 * the nodes, which edges cannot tell when a node has none, stands in a comment at the end.  They
 * read no words, which is said in a comment at the start: no two words are headings then. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/graphs/edge_list.h"

#include <stdlib.h>

static void mark(void *user, int64_t row, int64_t col, const void *val)
{
    uint64_t *seen = user;
    (void)val;
    seen[row / 64] |= UINT64_C(1) << (row % 64);
    seen[col / 64] |= UINT64_C(1) << (col % 64);
}

/* Returns whether every node has an edge.  Two for each edge at most, so that there is little to
 * mark. */
static spmv_status names_all(const spmv_matrix *A, bool *out, spmv_error *err)
{
    uint64_t *seen = NULL; /* a bit for each node */
    int64_t named = 0;
    *out = false;
    if (A->head.rows / 2 > A->head.nnz || A->head.rows == 0) return SPMV_SUCCESS;
    const spmv_status st =
        spmv__alloc(&seen, A->head.rows / 64 + 1, sizeof *seen, "marks of nodes", err);
    if (st != SPMV_SUCCESS) return st;
    spmv__format_of(A->format)->each(A, mark, seen);
    for (int64_t i = 0; i <= A->head.rows / 64; i++) named += __builtin_popcountll(seen[i]);
    *out = named == A->head.rows;
    free(seen);
    return SPMV_SUCCESS;
}

/* Whether a name reads as an integer, and whether as one that is written otherwise: 7.0, -5. */
static bool is_integer(const char *name, size_t length, bool *otherwise)
{
    const unsigned char *p = (const unsigned char *)name, *end;
    const spmv__field field = {.p = p, .end = p + length};
    bool negative;
    uint64_t magnitude;
    if (!spmv__field_is_integer(&field, &end) || spmv__field_is_padded(&field)) return false;
    spmv__text_parse_integer(p, end, &negative, &magnitude);
    *otherwise = end < field.end || *p == '-' || magnitude >= INT64_MAX - 1;
    return true;
}

/* In CSV and TSV nothing says that names are words, where all of them read as integers. */
static spmv_status check_words(const spmv_labels *labels, spmv_error *err)
{
    const char *odd = NULL;
    for (int64_t i = 0; i < labels->n; i++) {
        const char *name = labels->names + labels->name_ptr[i];
        bool otherwise;
        if (!is_integer(name, strlen(name), &otherwise)) return SPMV_SUCCESS;
        if (otherwise && odd == NULL) odd = name;
    }
    if (odd == NULL) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "the name %.40s would be read as a number from CSV and TSV; a file with the "
                      "suffix .el keeps it",
                      odd);
}

static spmv_status check(const spmv_matrix *A, spmv_error *err)
{
    if (spmv_type_is_complex(A->head.type))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "an edge list holds no complex values; `complex_values` real, imag or "
                          "abs makes them real");
    if (A->head.rows != A->head.cols)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "an edge list holds a square matrix; this one is %lld x %lld",
                          (long long)A->head.rows, (long long)A->head.cols);
    return spmv__check_whole(A->head.symmetry, err);
}

static void write_head(spmv__sink *sink, const spmv_matrix *A, const spmv_labels *labels,
                       char separator)
{
    if (separator != ' ')
        spmv__sink_printf(sink, "source%ctarget", separator);
    else if (labels->name_ptr != NULL)
        spmv__sink_printf(sink, "# Names: words");
    else
        return;
    if (separator != ' ' && A->head.type != SPMV_PATTERN)
        spmv__sink_printf(sink, "%cweight", separator);
    spmv__sink_printf(sink, "\n");
}

spmv_status spmv_write_edges(const spmv_matrix *A, const char *path,
                             const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(path != NULL, err);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st;
    const spmv_matrix *listed;
    spmv_matrix made = {0};
    spmv__sink *sink = NULL;
    const char separator = spmv__separator_of(path, options);
    bool all;

    SPMV__TRY(check(A, err));
    const spmv_labels labels = spmv__labels_to_write(A, options);
    SPMV__TRY(spmv__prepare_write(&listed, &made, A, true, SPMV__LISTED, options, err));
    SPMV__TRY(names_all(listed, &all, err));
    if (!all && (labels.id != NULL || labels.name_ptr != NULL))
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                             "a node has no edge, and its %s cannot stand in an edge list; a "
                             "binary file, such as .csr, holds it",
                             labels.id != NULL ? "id" : "name"));
    if (!all && separator != ' ')
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                             "%s, which CSV and TSV cannot tell; a file with the suffix .el does",
                             A->head.rows > 0 ? "a node has no edge" : "there is no node"));
    if (separator != ' ' && labels.name_ptr != NULL) SPMV__TRY(check_words(&labels, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    write_head(sink, A, &labels, separator);
    SPMV__TRY(spmv__write_entries(sink, listed, &labels, separator, err));
    if (!all) {
        const int64_t first = A->head.rows == 0 ? 1 : labels.first;
        spmv__sink_printf(sink, "# Ids: %lld to %lld\n", (long long)first,
                          (long long)(first + (A->head.rows - 1)));
    }
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_destroy(&made);
    return st;
}
