/* jds.c -- jagged diagonals: rows sorted by falling length, so that entry k of all rows that have
 * one forms a gapless column.  Nothing is padded; perm leads back to the original rows.
 * Source: Saad, Krylov subspace methods on supercomputers, SIAM J. Sci. Stat. Comput. 10 (1989). */
#include "core/multiply/multiply.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/base/meter.h"
#include "core/matrix/row_windows.h"

#include <stdlib.h>

static int64_t rows(const spmv_matrix *A)
{
    return A->head.rows;
}

static int64_t diags_plus_1(const spmv_matrix *A)
{
    return A->jds.diags < INT64_MAX ? A->jds.diags + 1 : -1;
}

static int64_t nnz(const spmv_matrix *A)
{
    return A->head.nnz;
}

static const spmv__array arrays[] = {
    {"perm", offsetof(spmv_matrix, jds.perm), SPMV__TARGETS, SPMV__I32, rows},
    {"diag_ptr", offsetof(spmv_matrix, jds.diag_ptr), SPMV__TARGETS, SPMV__I64, diags_plus_1},
    {"col_idx", offsetof(spmv_matrix, jds.col_idx), SPMV__INDICES, SPMV__I32, nnz},
    {"val", offsetof(spmv_matrix, jds.val), SPMV__VALUES, SPMV__VALUE, nnz},
};
static const size_t params[] = {offsetof(spmv_matrix, jds.diags)};

spmv_status spmv_jds_create(spmv_jds *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t diags, int64_t nnz, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_JDS, type, SPMV_GENERAL, rows, cols, nnz);
    A.jds.diags = diags;
    spmv_status st = spmv__allocate(&A, err);
    *out = A.jds;
    return st;
}

/* Entries of diagonal k, which is the number of rows longer than k. */
static int64_t diag_length(const spmv_jds *A, int64_t k)
{
    return A->diag_ptr[k + 1] - A->diag_ptr[k];
}

/* Diagonals never grow, and each has an entry. */
static spmv_status check_diags(const spmv_jds *A, spmv_error *err)
{
    spmv_status st = spmv__check_offsets(A->diag_ptr, A->diags, A->nnz, "diag_ptr", err);
    int64_t limit = A->rows;
    for (int64_t k = 0; st == SPMV_SUCCESS && k < A->diags; k++) {
        int64_t n = diag_length(A, k);
        if (n == 0 || n > limit)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "diagonal %lld has %lld entries, expected 1..%lld", (long long)k,
                              (long long)n, (long long)limit);
        limit = n;
    }
    return st;
}

/* Each row once, and rows of one length in their old order.  Needs sound diagonals. */
static spmv_status check_perm(const spmv_jds *A, spmv_error *err)
{
    unsigned char *seen = NULL; /* [rows] */
    int64_t length = A->diags;  /* of sorted row i */
    spmv_status st;

    SPMV__TRY(spmv__alloc(&seen, A->rows, 1, "permutation check", err));
    for (int64_t i = 0; i < A->rows; i++) {
        int64_t r = A->perm[i], previous_length = length;
        while (length > 0 && diag_length(A, length - 1) <= i) length--;
        if (r < 0 || r >= A->rows || seen[r]) {
            st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                            "perm[%lld] is %lld, expected each of 0..%lld once", (long long)i,
                            (long long)r, (long long)A->rows - 1);
            goto done;
        }
        if (i > 0 && length == previous_length && r < A->perm[i - 1]) {
            st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                            "perm[%lld] is %lld, but rows of one length must keep their order",
                            (long long)i, (long long)r);
            goto done;
        }
        seen[r] = 1;
    }
done:
    free(seen);
    return st;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    spmv_status st;
    const spmv_jds *A = &M->jds;

    SPMV__TRY(check_diags(A, err));
    SPMV__TRY(check_perm(A, err));
    for (int64_t k = 0; k < A->diags; k++) {
        for (int64_t i = 0; i < diag_length(A, k); i++) {
            int64_t p = A->diag_ptr[k] + i, c = A->col_idx[p];
            int64_t previous = k > 0 ? A->col_idx[A->diag_ptr[k - 1] + i] : -1;
            if (!spmv__entry_valid(&M->head, A->perm[i], c) || c <= previous)
                return spmv__bad_entry(M, p, A->perm[i], c, err);
        }
    }
done:
    return st;
}

typedef struct jds_filling {
    const spmv_csr *from;
    spmv_jds *to;
} jds_filling;

static int64_t fill_rows(void *job, int64_t begin, int64_t end)
{
    const spmv_csr *A = ((const jds_filling *)job)->from;
    const spmv_jds *out = ((const jds_filling *)job)->to;
    int64_t n = 0;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = A->row_ptr[out->perm[i]], behind = A->row_ptr[out->perm[i] + 1];
        for (int64_t p = first; p < behind; p++) {
            const int64_t q = out->diag_ptr[p - first] + i;
            out->col_idx[q] = A->col_idx[p];
            spmv__copy_value(A->type, out->val, q, A->val, p);
        }
        n += behind - first;
    }
    return n;
}

static spmv_status plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_convert_options *build, spmv_error *err)
{
    (void)build, (void)err;
    *out = spmv__blank(SPMV_JDS, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    out->jds.diags = spmv__longest_row(A);
    *filled = 0;
    return SPMV_SUCCESS;
}

static spmv_status plan_sparse(spmv_matrix *out, double *filled, const spmv_row_stats *rows,
                               const spmv_convert_options *build, spmv_error *err)
{
    (void)filled, (void)build, (void)err;
    out->jds.diags = rows->max;
    return SPMV_SUCCESS;
}

static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    spmv_matrix B;
    jds_filling job = {A, &B.jds};
    double filled;

    SPMV__TRY(plan(&B, &filled, A, build, err));
    SPMV__TRY(spmv__allocate(&B, err));
    SPMV__TRY(spmv__sort_rows(B.jds.perm, B.jds.diags, B.jds.diag_ptr + 1, A, err));
    spmv__counts_to_offsets(B.jds.diag_ptr, B.jds.diags);
    spmv__in_portions(fill_rows, &job, A->rows, A->nnz, spmv__threads_for(A->nnz), meter);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    *out = B;
    return st;
}

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    const spmv_jds *A = &M->jds;
    for (int64_t k = 0; k < A->diags; k++) {
        for (int64_t i = 0; i < diag_length(A, k); i++) {
            int64_t p = A->diag_ptr[k] + i;
            visit(user, A->perm[i], A->col_idx[p], spmv__value_at(A->type, A->val, p));
        }
    }
}

/* O(rows + row length): the permutation is stored in one direction only. */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_jds *A = &M->jds;
    int64_t i = 0;
    while (A->perm[i] != row) i++;
    for (int64_t k = 0; k < A->diags && i < diag_length(A, k); k++) {
        int64_t p = A->diag_ptr[k] + i;
        if (A->col_idx[p] == col) return spmv__scalar(A->type, A->val, p);
    }
    return spmv__number(0, 0);
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

static void multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha, const void *x,
                     spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_jds *jds = &A->jds;
    const spmv__diagonals diagonals = {.type = jds->type,
                                       .rows = jds->rows,
                                       .diags = jds->diags,
                                       .diag_ptr = jds->diag_ptr,
                                       .col_idx = jds->col_idx,
                                       .val = jds->val,
                                       .perm = jds->perm};
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__diagonals_multiply(&diagonals, vector_type, x, &out, threads);
}

const spmv__format spmv__jds_format = {
    .name = "jds",
    .max_rows = INT32_MAX,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 4,
    .params = params,
    .param_count = 1,
    .check = check,
    .from_csr = from_csr,
    .plan = plan,
    .plan_sparse = plan_sparse,
    .walks = 1,
    .each = each,
    .get = get,
    .multiply = multiply,
    .kernel = "cpu-jds",
    .kernel_summary = "blocks of sorted rows, one jagged diagonal after the other",
};
