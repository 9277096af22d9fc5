/* entries_write.c -- the entries of a matrix as lines of text: row, column, value.
 *
 * They come by row, then column, whatever the format in memory: the same matrix gives the same
 * bytes. */
#include "io.h"

enum { LINE_SIZE = 2 * 20 + 3 + SPMV__VALUE_SIZE }; /* indices, blanks, a value, line end */

/* The digits of n >= 0 at p; returns their end. */
static char *put_integer(char *p, int64_t n)
{
    char digits[20];
    int count = 0;
    do digits[count++] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    while (count > 0) *p++ = digits[--count];
    return p;
}

static void put_entry(spmv__sink *sink, int64_t row, int64_t col, const spmv_head *A,
                      const void *val, int64_t p)
{
    char line[LINE_SIZE], *end = put_integer(line, row);
    *end++ = ' ';
    end = put_integer(end, col);
    if (A->type != SPMV_PATTERN) {
        *end++ = ' ';
        end += spmv__format_value(end, A->type, val, p);
    }
    *end++ = '\n';
    spmv__sink_write(sink, line, (size_t)(end - line));
}

spmv_status spmv__write_entries(spmv__sink *sink, const spmv_matrix *A, int64_t base,
                                spmv_error *err)
{
    spmv_csr csr = {0};
    if (A->format == SPMV_COO) {
        const spmv_coo *coo = &A->coo;
        for (int64_t p = 0; p < coo->nnz; p++)
            put_entry(sink, coo->row_idx[p] + base, coo->col_idx[p] + base, &A->head, coo->val, p);
        return SPMV_SUCCESS;
    }
    const spmv_status st = spmv__to_csr(&csr, A, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 0; r < csr.rows; r++)
        for (int64_t p = csr.row_ptr[r]; p < csr.row_ptr[r + 1]; p++)
            put_entry(sink, r + base, csr.col_idx[p] + base, &A->head, csr.val, p);
    spmv_csr_destroy(&csr);
    return SPMV_SUCCESS;
}
