/* mtx_write.c -- matrices as Matrix Market coordinate files.
 *
 * Entries come by row, then column, whatever the format in memory: the same matrix gives the same
 * bytes.  A matrix with a symmetry is written as the triangle that it stores. */
#include "mtx.h"

enum { LINE_SIZE = 2 * 20 + 2 + SPMV__NUMBER_SIZE }; /* two indices, two blanks, a value */

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
    char line[LINE_SIZE], *end = put_integer(line, row + 1);
    *end++ = ' ';
    end = put_integer(end, col + 1);
    if (A->type != SPMV_PATTERN) {
        *end++ = ' ';
        end += spmv__format_number(end, spmv__value(A->type, val, p), A->type);
    }
    *end++ = '\n';
    spmv__sink_write(sink, line, (size_t)(end - line));
}

static void put_entries(spmv__sink *sink, const spmv_matrix *A, const spmv_csr *csr)
{
    spmv__sink_printf(sink, "%lld %lld %lld\n", (long long)A->head.rows, (long long)A->head.cols,
                      (long long)A->head.nnz);
    if (A->format == SPMV_COO) {
        for (int64_t p = 0; p < A->coo.nnz; p++)
            put_entry(sink, A->coo.row_idx[p], A->coo.col_idx[p], &A->head, A->coo.val, p);
        return;
    }
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t p = csr->row_ptr[r]; p < csr->row_ptr[r + 1]; p++)
            put_entry(sink, r, csr->col_idx[p], &A->head, csr->val, p);
}

spmv_status spmv_write_mtx(const spmv_matrix *A, const char *path,
                           const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && path != NULL && spmv__format_of(A->format) != NULL, err);
    spmv_status st;
    spmv_csr csr = {0};
    spmv__sink *sink = NULL;

    if (A->head.type == SPMV_PATTERN && A->head.symmetry == SPMV_SKEW)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "Matrix Market has no skew-symmetric matrices without values");
    if (A->format != SPMV_COO) SPMV__TRY(spmv__to_csr(&csr, A, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options != NULL && options->overwrite, err));
    SPMV__TRY(
        spmv__mtx_write_banner(sink, false, A->head.type == SPMV_PATTERN, A->head.symmetry, err));
    put_entries(sink, A, &csr);
    st = spmv__sink_commit(sink, err);
    sink = NULL;
done:
    spmv__sink_discard(sink);
    spmv_csr_destroy(&csr);
    return st;
}
