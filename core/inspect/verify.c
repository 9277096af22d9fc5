/* verify.c -- the verification of a product: rows by many threads.
 *
 * Rows of CSR are verified in stretches, each by a thread, and what was found in them is put
 * together in their order: it does not depend on the number of threads.  Rows of other formats
 * cannot be told apart, but columns can. */
#include "core/inspect/verify_rows.h"
#include "core/multiply/multiply.h"

#include <math.h>
#include <stdlib.h>

enum {
    STEPS = 1 << 16, /* rows and entries of a stretch of rows */
    AT_ONCE = 8      /* columns of rows that cannot be told apart, at once at most */
};

/* Returns whether alpha A x + beta y0 may have an imaginary part. */
static bool is_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                       spmv_scalar beta, const spmv_dense *y0)
{
    return alpha.im != 0 || beta.im != 0 || spmv_type_is_complex(A->head.type) ||
           spmv_type_is_complex(x->type) || (y0 != NULL && spmv_type_is_complex(y0->type));
}

static spmv_status check(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                         spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                         spmv_error *err)
{
    const spmv_dense *vectors[] = {x, y, y0};
    const char *const names[] = {"x", "y", "y0"};

    if (x->rows != A->head.cols || y->rows != A->head.rows || x->cols != y->cols || x->cols < 1 ||
        (y0 != NULL && (y0->rows != y->rows || y0->cols != y->cols)))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A is %lld x %lld, but x is %lld x %lld and y is %lld x %lld",
                          (long long)A->head.rows, (long long)A->head.cols, (long long)x->rows,
                          (long long)x->cols, (long long)y->rows, (long long)y->cols);
    for (int i = 0; i < 3; i++) {
        const spmv_dense *v = vectors[i];
        if (v != NULL && (v->on_gpu || v->type <= SPMV_PATTERN || v->type >= SPMV_TYPES))
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s",
                              v->on_gpu ? "a vector to verify lives on a GPU"
                                        : "a vector to verify holds no numbers");
        const spmv_status st = v != NULL ? spmv__check_vectors(v, names[i], err) : SPMV_SUCCESS;
        if (st != SPMV_SUCCESS) return st;
    }
    if (!spmv_type_is_complex(y->type) && is_complex(A, alpha, x, beta, y0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a complex product cannot be %s, as y is", spmv_type_name(y->type));
    return spmv__check_whole(A->head.symmetry, err);
}

/* ---- Stretches ------------------------------------------------------------------------------- */

/* The number of stretches in which the rows of a matrix lie, which depends on nothing else. */
static int64_t stretches_of(const spmv_matrix *A)
{
    return A->format == SPMV_CSR ? (A->head.rows + A->head.nnz) / STEPS + 1 : 1;
}

/* Where stretch k of n begins. */
static int64_t stretch_begin(const spmv_matrix *A, int64_t k, int64_t n)
{
    if (k == n) return A->head.rows;
    if (k == 0) return 0;
    const spmv__entries entries = spmv__csr_entries(&A->csr);
    return spmv__cut_at(&entries, (int)k, (int)n).row;
}

/* What was found in a further stretch: its worst row is that of all where it has the first
 * mismatch, or, without any, is off by more. */
static void add_found(spmv_verification *v, const spmv_verification *further)
{
    const spmv_verification before = *v;
    const bool worse =
        further->mismatches > 0 || before.worst_row < 0 || further->excess > before.excess;
    if (before.mismatches == 0 && worse) *v = *further;
    v->max_abs_error = fmax(before.max_abs_error, further->max_abs_error);
    v->max_rel_error = fmax(before.max_rel_error, further->max_rel_error);
    v->excess = fmax(before.excess, further->excess);
    v->wrong = before.wrong + further->wrong;
    v->mismatches = before.mismatches + further->mismatches;
}

/* Make the stretches, column by column; returns the most rows of one. */
static int64_t cut(const spmv__verification_job *j, spmv__row_stretch *all, int64_t each)
{
    int64_t most = 0;
    for (int64_t i = 0; i < each * j->y->cols; i++) {
        spmv__row_stretch *s = &all[i];
        s->column = i / each;
        s->begin = stretch_begin(j->A, i % each, each);
        s->end = stretch_begin(j->A, i % each + 1, each);
        if (s->end - s->begin > most) most = s->end - s->begin;
    }
    return most;
}

/* Stretches are verified by several threads, each with sums of its own. */
static spmv_status verify(const spmv__verification_job *j, spmv_verification *v, spmv_error *err)
{
    const int64_t each = stretches_of(j->A), n = each * j->y->cols;
    const int all = spmv__threads(0), most = each == 1 ? AT_ONCE : all;
    int threads = all < most ? all : most;
    if (threads > n) threads = (int)n;
    spmv__row_stretch *part = NULL;
    spmv__row_sum *rows = NULL;
    int64_t longest;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&part, n, sizeof *part, "verified rows", err));
    longest = cut(j, part, each);
    SPMV__TRY(spmv__alloc(&rows, longest * threads, sizeof *rows, "reference sums", err));
    if (threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; i++) spmv__verify_rows(j, &part[i], rows + longest * spmv__thread());
    for (int64_t i = 0; i < n; i++) add_found(v, &part[i].found);
    v->pass = v->wrong == 0;
done:
    free(part);
    free(rows);
    return st;
}

spmv_status spmv_verify_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                                spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                                const spmv_rounding *rounding, spmv_verification *out,
                                spmv_error *err)
{
    static const spmv_rounding usual = {0};
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE(x != NULL && y != NULL && out != NULL, err);
    SPMV__REQUIRE(spmv__is_zero(beta) || y0 != NULL, err);
    if (rounding == NULL) rounding = &usual;
    const spmv__verification_job j = {
        .A = A,
        .alpha = alpha,
        .beta = beta,
        .x = x,
        .y0 = spmv__is_zero(beta) ? NULL : y0,
        .y = y,
        .sums = spmv__rounding_unit(rounding->single_sums ? SPMV_F32 : SPMV_F64),
        .values = rounding->single_values ? spmv__rounding_unit(SPMV_F32) : 0};
    spmv_verification v = {.worst_row = -1};
    spmv_status st;

    SPMV__TRY(check(A, alpha, x, beta, j.y0, y, err));
    SPMV__TRY(verify(&j, &v, err));
    *out = v;
done:
    return st;
}

spmv_status spmv_verify(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                        const spmv_dense *y0, const spmv_dense *y, spmv_verification *out,
                        spmv_error *err)
{
    return spmv_verify_complex(A, spmv__number(alpha, 0), x, spmv__number(beta, 0), y0, y, NULL,
                               out, err);
}
