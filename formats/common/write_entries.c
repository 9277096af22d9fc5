/* write_entries.c -- the entries of a matrix as lines of text: row, column, value; and the values
 * of vectors, one a line.
 *
 * Entries come by row, then column, whatever the format in memory: the same matrix gives the same
 * bytes. */
#include "formats/text/digits.h"
#include "formats/text/number.h"
#include "formats/common/file_format.h"

enum { LINE_SIZE = 2 * 20 + 3 + SPMV__VALUE_SIZE }; /* indices, blanks, a value, line end */

/* The matrix, in CSR or COO, and what its rows and columns are called. */
typedef struct entry_lines {
    const spmv_matrix *A;
    const spmv_labels *labels;
} entry_lines;

static char *put_entry(char *p, int64_t row, int64_t col, spmv_type type, const void *val,
                       int64_t position)
{
    p = spmv__put_integer(p, (uint64_t)row);
    *p++ = ' ';
    p = spmv__put_integer(p, (uint64_t)col);
    if (type != SPMV_PATTERN) {
        *p++ = ' ';
        p += spmv__format_value(p, type, val, position);
    }
    *p++ = '\n';
    return p;
}

static char *put_coo(const void *user, int64_t begin, int64_t end, char *out)
{
    const entry_lines *list = user;
    const spmv_coo *A = &list->A->coo;
    for (int64_t p = begin; p < end; p++)
        out = put_entry(out, spmv_label_at(list->labels, A->row_idx[p]),
                        spmv_label_at(list->labels, A->col_idx[p]), A->type, A->val, p);
    return out;
}

/* The row that holds position p: the last that begins there or before. */
static int64_t row_of(const spmv_csr *A, int64_t p)
{
    int64_t low = 0, high = A->rows;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (A->row_ptr[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static char *put_csr(const void *user, int64_t begin, int64_t end, char *out)
{
    const entry_lines *list = user;
    const spmv_csr *A = &list->A->csr;
    int64_t r = row_of(A, begin);
    for (int64_t p = begin; p < end; p++) {
        while (A->row_ptr[r + 1] <= p) r++;
        out = put_entry(out, spmv_label_at(list->labels, r),
                        spmv_label_at(list->labels, A->col_idx[p]), A->type, A->val, p);
    }
    return out;
}

spmv_status spmv__write_entries(spmv__sink *sink, const spmv_matrix *A, const spmv_labels *labels,
                                spmv_error *err)
{
    const entry_lines list = {A, labels};
    return spmv__write_lines(sink, A->head.nnz, LINE_SIZE,
                             A->format == SPMV_COO ? put_coo : put_csr, &list, err);
}

static char *put_numbers(const void *user, int64_t begin, int64_t end, char *out)
{
    const spmv_dense *x = user;
    for (int64_t i = begin; i < end; i++) {
        out += spmv__format_value(out, x->type, x->data, i);
        *out++ = '\n';
    }
    return out;
}

spmv_status spmv__write_numbers(const spmv_dense *x, spmv__sink *sink, spmv_error *err)
{
    return spmv__write_lines(sink, x->rows * x->cols, SPMV__VALUE_SIZE + 1, put_numbers, x, err);
}
