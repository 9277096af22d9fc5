/* shrink_test.c -- the smallest part of a matrix with which something is still wrong: rows, columns
 * and entries are taken away, first half of them at a time and then fewer, as long as it is. */
#include "core/matrix/value.h"
#include "sweep_test.h"

#include <time.h>

enum { TRIALS = 400, SECONDS = 20 };

typedef struct search {
    sweep_is_wrong *is_wrong;
    void *user;
    int trials;
    time_t until;
} search;

static bool has_time(const search *s)
{
    return s->trials < TRIALS && time(NULL) < s->until;
}

/* Says what is kept of a matrix: not rows [first, last), not entries [first, last), columns below
 * `cols`. */
typedef struct cut {
    int64_t first_row, last_row, first_entry, last_entry, cols;
} cut;

static bool keeps(const spmv_csr *A, const cut *c, int64_t p)
{
    return (p < c->first_entry || p >= c->last_entry) && A->col_idx[p] < c->cols;
}

static spmv_matrix without(const spmv_csr *A, const cut *c)
{
    spmv_matrix B = {.format = SPMV_CSR};
    const int64_t gone = c->last_row - c->first_row;
    int64_t n = 0, row = 0;
    if (spmv_csr_create(&B.csr, A->type, A->rows - gone, c->cols, A->nnz, NULL) != SPMV_SUCCESS)
        return B;
    for (int64_t r = 0; r < A->rows; r++) {
        if (r >= c->first_row && r < c->last_row) continue;
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            if (!keeps(A, c, p)) continue;
            B.csr.col_idx[n] = A->col_idx[p];
            if (A->val != NULL)
                spmv__set_scalar(A->type, B.csr.val, n, spmv__scalar(A->type, A->val, p));
            n++;
        }
        B.csr.row_ptr[++row] = n;
    }
    B.csr.nnz = n;
    return B;
}

/* A becomes what is left when that is still wrong. */
static bool take(search *s, spmv_matrix *A, const cut *c)
{
    spmv_matrix B = without(&A->csr, c);
    s->trials++;
    if (B.csr.row_ptr != NULL && s->is_wrong(s->user, &B)) {
        spmv_destroy(A);
        *A = B;
        return true;
    }
    spmv_destroy(&B);
    return false;
}

static cut nothing(const spmv_matrix *A)
{
    return (cut){0, 0, 0, 0, A->head.cols};
}

/* Takes parts of `step` rows, or entries, away wherever that leaves it wrong. */
static bool take_parts(search *s, spmv_matrix *A, bool rows, int64_t step)
{
    bool any = false;
    for (int64_t at = 0; at < (rows ? A->head.rows : A->head.nnz) && has_time(s);) {
        const int64_t all = rows ? A->head.rows : A->head.nnz;
        cut c = nothing(A);
        *(rows ? &c.first_row : &c.first_entry) = at;
        *(rows ? &c.last_row : &c.last_entry) = at + step < all ? at + step : all;
        if (take(s, A, &c))
            any = true;
        else
            at += step;
    }
    return any;
}

static void take_columns(search *s, spmv_matrix *A)
{
    for (int64_t step = A->head.cols / 2; step > 0 && has_time(s); step /= 2) {
        cut c = nothing(A);
        c.cols -= step;
        take(s, A, &c);
    }
}

void sweep_shrink(spmv_matrix *A, sweep_is_wrong *is_wrong, void *user)
{
    search s = {is_wrong, user, 0, time(NULL) + SECONDS};
    for (int turn = 0; turn < 2; turn++) {
        const bool rows = turn == 0;
        for (int64_t step = (rows ? A->head.rows : A->head.nnz) / 2; step > 0 && has_time(&s);
             step /= 2)
            take_parts(&s, A, rows, step);
        take_columns(&s, A);
    }
}
