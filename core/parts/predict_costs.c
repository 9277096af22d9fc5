/* predict_costs.c -- what a multiplication would cost each of many ranks, worked out by this one
 * alone.
 *
 * The parts are gone through one after the other, each entry once.  A column remembers the last
 * part that has needed it, so that nothing is cleared between parts, and its owner. */
#include "core/matrix/format.h"
#include "core/parts/halo.h"
#include "core/parts/number_by_rank.h"
#include "core/parts/partition.h"

#include <stdlib.h>

typedef struct column_needs {
    int parts;
    int64_t *row_begin, *col_begin; /* [parts + 1] */
    int64_t *row;                   /* [rows] of all parts, one behind the other; NULL: in order */
    int32_t *owner, *needed_by;     /* [cols] the part that has a column, and 1 + the last one that
                                       needed it */
    int64_t *needs;                 /* [parts] of each other one, 0 between parts */
    int *others, count;             /* [parts], the first `count`: of which something is needed */
} column_needs;

static spmv_status create(column_needs *n, int parts, int64_t cols, spmv_error *err)
{
    const char *what = "a prediction";
    spmv_status st;
    n->parts = parts;
    SPMV__TRY(spmv__alloc(&n->row_begin, (int64_t)parts + 1, sizeof *n->row_begin, what, err));
    SPMV__TRY(spmv__alloc(&n->col_begin, (int64_t)parts + 1, sizeof *n->col_begin, what, err));
    SPMV__TRY(spmv__alloc(&n->owner, cols, sizeof *n->owner, what, err));
    SPMV__TRY(spmv__alloc(&n->needed_by, cols, sizeof *n->needed_by, what, err));
    SPMV__TRY(spmv__alloc(&n->needs, parts, sizeof *n->needs, what, err));
    SPMV__TRY(spmv__alloc(&n->others, parts, sizeof *n->others, what, err));
done:
    return st;
}

static void destroy(column_needs *n)
{
    free(n->row_begin);
    free(n->col_begin);
    free(n->row);
    free(n->owner);
    free(n->needed_by);
    free(n->needs);
    free(n->others);
}

/* Share out neighbouring rows, and the columns. */
static void cut(column_needs *n, const spmv_csr *A, spmv_partition by)
{
    spmv__part_cut(n->row_begin, n->col_begin, n->parts, A->rows, A->cols, A->row_ptr, by);
    for (int k = 0; k < n->parts; k++)
        for (int64_t c = n->col_begin[k]; c < n->col_begin[k + 1]; c++) n->owner[c] = k;
}

/* Give the rows to those that are named, and in a square matrix the columns. */
static spmv_status assign(column_needs *n, const spmv_csr *A, const int32_t *rank_of_row,
                          spmv_error *err)
{
    int64_t *number = NULL;
    spmv_status st;
    cut(n, A, SPMV_PARTITION_ROWS); /* the columns of a matrix that is not square stay so */
    SPMV__TRY(spmv__alloc(&number, A->rows, sizeof *number, "a prediction", err));
    SPMV__TRY(spmv__alloc(&n->row, A->rows, sizeof *n->row, "a prediction", err));
    SPMV__TRY(spmv__number_by_rank(number, n->row_begin, n->parts, rank_of_row, A->rows, err));
    for (int64_t r = 0; r < A->rows; r++) n->row[number[r]] = r;
    spmv__share_out_columns(n->col_begin, n->parts, A->cols, n->row_begin);
    if (A->rows == A->cols && A->cols > 0)
        memcpy(n->owner, rank_of_row, (size_t)A->cols * sizeof *n->owner);
done:
    free(number);
    return st;
}

/* Part k needs a column, mostly not for the first time. */
static void need(column_needs *n, int k, int32_t col)
{
    if (n->needed_by[col] == k + 1) return;
    const int owner = n->owner[col];
    n->needed_by[col] = k + 1;
    if (owner != k && n->needs[owner]++ == 0) n->others[n->count++] = owner;
}

/* Book what part k takes of all others, with both sides. */
static void settle(column_needs *n, spmv_part_costs *out, int k)
{
    for (int i = 0; i < n->count; i++) {
        const int other = n->others[i];
        const int64_t owned = n->col_begin[other + 1] - n->col_begin[other];
        const int64_t taken = spmv__halo_takes(n->needs[other], owned);
        out[k].received += taken;
        out[other].sent += taken;
        out[other].receivers++;
        n->needs[other] = 0;
    }
    out[k].neighbours = n->count;
    n->count = 0;
}

/* Go through the rows of part k. */
static void count_part(column_needs *n, spmv_part_costs *out, int k, const spmv_csr *A)
{
    out[k].rows = n->row_begin[k + 1] - n->row_begin[k];
    out[k].owned = n->col_begin[k + 1] - n->col_begin[k];
    for (int64_t i = n->row_begin[k]; i < n->row_begin[k + 1]; i++) {
        const int64_t r = n->row != NULL ? n->row[i] : i;
        out[k].nnz += A->row_ptr[r + 1] - A->row_ptr[r];
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) need(n, k, A->col_idx[p]);
    }
    settle(n, out, k);
}

spmv_status spmv_part_predict(spmv_part_costs *out, int parts, const spmv_csr *A, spmv_partition by,
                              const int32_t *rank_of_row, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && A != NULL, err);
    SPMV__REQUIRE(parts >= 1 && by != SPMV_PARTITION_NONZEROS, err);
    SPMV__REQUIRE(by != SPMV_PARTITION_GIVEN || rank_of_row != NULL || A->rows == 0, err);
    column_needs n = {0};
    spmv_status st;
    if (A->symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a triangle is not shared out; expand the matrix first");
    SPMV__TRY(create(&n, parts, A->cols, err));
    if (by == SPMV_PARTITION_GIVEN)
        SPMV__TRY(assign(&n, A, rank_of_row, err));
    else
        cut(&n, A, by);
    memset(out, 0, (size_t)parts * sizeof *out);
    for (int k = 0; k < parts; k++) count_part(&n, out, k, A);
done:
    destroy(&n);
    return st;
}
