/* predict_costs.c -- what a multiplication would cost each of many ranks, worked out by this one
 * alone.
 *
 * The parts are gone through one after the other, each entry once.  Each column remembers its owner
 * and the last part that needed it, so nothing has to be cleared between parts. */
#include "core/matrix/format.h"
#include "core/parts/halo.h"
#include "core/parts/number_by_rank.h"
#include "core/parts/partition.h"
#include "core/parts/row_segments.h"

#include <stdlib.h>

/* Entries of a row that is split, and the part that multiplies them. */
typedef struct taken_entries {
    int part;
    int64_t begin, end;
} taken_entries;

typedef struct column_needs {
    int parts;
    int64_t *row_begin, *col_begin; /* [parts + 1] */
    int64_t *row;                   /* [rows] of all parts, one after the other; NULL: in order */
    int32_t *owner, *needed_by;     /* [cols] the part that has a column, and 1 + the last one that
                                       needed it */
    int64_t *needs;                 /* [parts] of each other one, 0 between parts */
    int *others, count;             /* [parts], the first `count`: of which something is needed */
    bool (*split)[SPMV__EDGES];     /* [parts] of each, the first and the last row */
    taken_entries *taken;           /* [all_taken] by parts: a row that is split has a cut in it */
    int all_taken, next;
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
    SPMV__TRY(spmv__alloc(&n->split, parts, sizeof *n->split, what, err));
    SPMV__TRY(spmv__alloc(&n->taken, 2 * SPMV__PIECES, sizeof *n->taken, what, err));
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
    free(n->split);
    free(n->taken);
}

/* Share out neighbouring rows, and the columns. */
static void cut(column_needs *n, const spmv_csr *A, spmv_partition by)
{
    spmv__part_cut(n->row_begin, n->col_begin, n->parts, A->rows, A->cols, A->row_ptr, by);
    for (int k = 0; k < n->parts; k++)
        for (int64_t c = n->col_begin[k]; c < n->col_begin[k + 1]; c++) n->owner[c] = k;
}

/* Split the rows that the operator would split. */
static void split_rows(column_needs *n, const spmv_csr *A)
{
    spmv__segment segment[SPMV__PIECES];
    spmv__edge_row edge[SPMV__EDGES];
    for (int k = 0; k < n->parts; k++) {
        const int64_t first = n->row_begin[k];
        spmv__find_edge_rows(edge, A->row_ptr + first, n->row_begin[k + 1] - first, first, 0);
        for (int e = 0; e < SPMV__EDGES; e++) {
            const int count = spmv__row_segments(segment, &edge[e], A->rows, A->nnz, n->parts);
            n->split[k][e] = count > 0;
            for (int i = 0; i < count; i++)
                n->taken[n->all_taken++] =
                    (taken_entries){segment[i].rank, edge[e].before + segment[i].begin,
                                    edge[e].before + segment[i].end};
        }
    }
}

/* Returns whether row i of part k, counted over all parts, is split. */
static bool is_split(const column_needs *n, int k, int64_t i)
{
    return (i == n->row_begin[k] && n->split[k][0]) ||
           (i == n->row_begin[k + 1] - 1 && n->split[k][1]);
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

/* Part k multiplies some entries. */
static void count_entries(column_needs *n, spmv_part_costs *out, int k, const spmv_csr *A,
                          int64_t begin, int64_t end)
{
    out[k].nnz += end - begin;
    for (int64_t p = begin; p < end; p++) need(n, k, A->col_idx[p]);
}

/* Go through the rows of part k, and what it takes of others. */
static void count_part(column_needs *n, spmv_part_costs *out, int k, const spmv_csr *A)
{
    out[k].rows = n->row_begin[k + 1] - n->row_begin[k];
    out[k].owned = n->col_begin[k + 1] - n->col_begin[k];
    for (int64_t i = n->row_begin[k]; i < n->row_begin[k + 1]; i++) {
        const int64_t r = n->row != NULL ? n->row[i] : i;
        if (!is_split(n, k, i)) count_entries(n, out, k, A, A->row_ptr[r], A->row_ptr[r + 1]);
    }
    for (; n->next < n->all_taken && n->taken[n->next].part == k; n->next++)
        count_entries(n, out, k, A, n->taken[n->next].begin, n->taken[n->next].end);
    settle(n, out, k);
}

spmv_status spmv_part_predict(spmv_part_costs *out, int parts, const spmv_csr *A, spmv_partition by,
                              const int32_t *rank_of_row, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && A != NULL, err);
    SPMV__REQUIRE((unsigned)by <= SPMV_PARTITION_GIVEN && by != SPMV_PARTITION_NONZEROS, err);
    SPMV__REQUIRE(parts >= 1, err);
    SPMV__REQUIRE(by != SPMV_PARTITION_GIVEN || rank_of_row != NULL || A->rows == 0, err);
    column_needs n = {0};
    spmv_status st;
    SPMV__TRY(spmv__check_whole(A->symmetry, err));
    SPMV__REQUIRE(A->row_ptr != NULL && (A->nnz == 0 || A->col_idx != NULL), err);
    SPMV__TRY(create(&n, parts, A->cols, err));
    if (by == SPMV_PARTITION_GIVEN)
        SPMV__TRY(assign(&n, A, rank_of_row, err));
    else
        cut(&n, A, by);
    if (by == SPMV_PARTITION_NNZ) split_rows(&n, A);
    memset(out, 0, (size_t)parts * sizeof *out);
    for (int k = 0; k < parts; k++) count_part(&n, out, k, A);
done:
    destroy(&n);
    return st;
}
