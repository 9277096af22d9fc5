/* planned_row.c -- values of rows of C whose columns are known, in an array with a place for each
 * column.
 *
 * The places of the columns are set to 0, products are added, and the sums are taken: nothing is
 * marked, and no column is looked for.  What a mask leaves out is added, too, and never taken.
 *
 * Rows of A with the same columns are summed together, their sums side by side, so that a row of B
 * is read once for all of them; and rows of B with the same columns are added together, so that a
 * sum is read and written once for all of them.  Of the time of spmv_spgemm, a matrix of finite
 * elements (fem:32) takes 0.28 with both and 0.43 with the first alone, a dense one of 2,048 rows
 * 0.54 and 0.71. */
#include "core/spgemm/planned_product.h"
#include "core/spgemm/product.h"

enum {
    LANES = SPMV__PLAN_LANES,
    TOGETHER = 4 /* rows of B with the same columns that are added together, at most */
};

/* Wider vectors save a quarter of the time where rows of B are runs of columns or rows are twins.
 * These instructions have no fused multiply and add, which GCC 12 uses for complex numbers even
 * under -ffp-contract=off: sums would have other bits. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

/* ---- Adding up ------------------------------------------------------------------------------ */

/* Rows of B with the same columns, and what they are multiplied with and added to. */
typedef struct row_addition {
    double re[TOGETHER][LANES], im[TOGETHER][LANES]; /* entries of the twins in A */
    bool real;                                       /* they are of a real type */
    int64_t n;
    const int32_t *col;        /* [n] */
    const void *val[TOGETHER]; /* [n] each */
    int64_t first;             /* column of the first sum */
    double *sum;
} row_addition;

/* Adds entry k of `rows` rows of B, one after the other, to a sum for each lane. */
SPMV__INLINE void add_to(double *to, const row_addition *t, int64_t k, spmv_type type,
                         bool complex_sums, int lanes, int rows)
{
    const int numbers = lanes * (complex_sums ? 2 : 1);
    double sum[2 * LANES];
    for (int i = 0; i < numbers; i++) sum[i] = to[i];
    for (int b = 0; b < rows; b++)
        for (int r = 0; r < lanes; r++)
            spmv__add_to_sum(sum, r, complex_sums,
                             spmv__product_of((spmv__factor){{t->re[b][r], t->im[b][r]}, t->real},
                                              type, t->val[b], k));
    for (int i = 0; i < numbers; i++) to[i] = sum[i];
}

SPMV__INLINE void add_row(const row_addition *of, spmv_type type, bool complex_sums, int lanes,
                          int rows)
{
    const row_addition t = *of; /* what is stored cannot change it */
    const int64_t width = lanes * (complex_sums ? 2 : 1);
    if (t.col[t.n - 1] - t.col[0] == t.n - 1) {
        double *sum = t.sum + width * (t.col[0] - t.first);
        for (int64_t k = 0; k < t.n; k++)
            add_to(sum + width * k, &t, k, type, complex_sums, lanes, rows);
        return;
    }
    for (int64_t k = 0; k < t.n; k++)
        add_to(t.sum + width * (t.col[k] - t.first), &t, k, type, complex_sums, lanes, rows);
}

/* Whether entry p of A and those after it meet `rows` rows of B with the same columns. */
SPMV__INLINE bool meets_twins(const spmv_csr *A, const bool *twin, int64_t p, int64_t end, int rows)
{
    const int32_t k = A->col_idx[p];
    if (p + rows > end || A->col_idx[p + rows - 1] != k + rows - 1) return false;
    for (int b = 1; b < rows; b++)
        if (!twin[k + b]) return false;
    return true;
}

/* Adds the rows of B that `rows` entries of A meet, from p on. */
SPMV__INLINE void add_rows(const spmv__spgemm *job, const spmv__planned_rows *of, row_addition *t,
                           int64_t p, spmv_type type, bool complex_sums, int lanes, int rows)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    const int64_t k = A->col_idx[p], q = B->row_ptr[k];
    const int64_t entries = A->row_ptr[of->begin + 1] - A->row_ptr[of->begin];
    t->n = B->row_ptr[k + 1] - q;
    if (t->n == 0) return;
    t->col = B->col_idx + q;
    for (int b = 0; b < rows; b++) {
        t->val[b] = spmv__value_at(type, B->val, q + b * t->n);
        for (int r = 0; r < lanes; r++) {
            const int64_t at = p + b + (r < of->count ? r : 0) * entries;
            const spmv_scalar a = spmv__scalar(A->type, A->val, at);
            t->re[b][r] = a.re;
            t->im[b][r] = a.im;
        }
    }
    add_row(t, type, complex_sums, lanes, rows);
}

SPMV__INLINE void add_all(const spmv__spgemm *job, const bool *twin, const spmv__planned_rows *rows,
                          double *sum, spmv_type type, bool complex_sums, int lanes)
{
    const spmv_csr *A = &job->A;
    const int64_t end = A->row_ptr[rows->begin + 1];
    row_addition t = {.first = rows->low, .sum = sum, .real = !spmv_type_is_complex(A->type)};
    for (int64_t p = A->row_ptr[rows->begin]; p < end;) {
        if (meets_twins(A, twin, p, end, TOGETHER)) {
            add_rows(job, rows, &t, p, type, complex_sums, lanes, TOGETHER);
            p += TOGETHER;
        } else if (meets_twins(A, twin, p, end, 2)) {
            add_rows(job, rows, &t, p, type, complex_sums, lanes, 2);
            p += 2;
        } else {
            add_rows(job, rows, &t, p, type, complex_sums, lanes, 1);
            p++;
        }
    }
}

/* ---- The rows ------------------------------------------------------------------------------- */

/* val = the sums of the columns of C, rounded to its type. */
SPMV__INLINE void take_sums(spmv_type type, const spmv_csr *C, const spmv__planned_rows *rows,
                            const double *sum, void *val, int parts, int lanes)
{
    const int64_t begin = C->row_ptr[rows->begin], n = C->row_ptr[rows->begin + 1] - begin;
    const bool is_double = type == SPMV_F64 || type == SPMV_C128;
    for (int64_t r = 0; r < rows->count; r++) {
        double *doubles = (double *)val + parts * (begin + r * n);
        float *floats = (float *)val + parts * (begin + r * n);
        for (int64_t k = 0; k < n; k++) {
            const double *from = sum + parts * (lanes * (C->col_idx[begin + k] - rows->low) + r);
            for (int part = 0; part < parts; part++) {
                if (is_double)
                    doubles[parts * k + part] = from[part];
                else
                    floats[parts * k + part] = (float)from[part];
            }
        }
    }
}

SPMV__INLINE void sum_rows(const spmv__spgemm *job, const bool *twin, const spmv_csr *C,
                           const spmv__planned_rows *rows, double *sum, void *val, spmv_type type,
                           bool complex_sums, int lanes)
{
    const int parts = complex_sums ? 2 : 1;
    for (int64_t k = C->row_ptr[rows->begin]; k < C->row_ptr[rows->begin + 1]; k++) {
        double *to = sum + parts * lanes * (C->col_idx[k] - rows->low);
        for (int r = 0; r < parts * lanes; r++) to[r] = 0;
    }
    add_all(job, twin, rows, sum, type, complex_sums, lanes);
    if (job->type == SPMV_F64 || job->type == SPMV_C128)
        take_sums(SPMV_F64, C, rows, sum, val, parts, lanes);
    else
        take_sums(SPMV_F32, C, rows, sum, val, parts, lanes);
}

typedef void rows_summer(const spmv__spgemm *job, const bool *twin, const spmv_csr *C,
                         const spmv__planned_rows *rows, double *sum, void *val);
#define X(name, type, complex_sums)                                                             \
    CLONES static void sum_##name(const spmv__spgemm *job, const bool *twin, const spmv_csr *C, \
                                  const spmv__planned_rows *rows, double *sum, void *val)       \
    {                                                                                           \
        if (rows->count == 1)                                                                   \
            sum_rows(job, twin, C, rows, sum, val, type, complex_sums, 1);                      \
        else                                                                                    \
            sum_rows(job, twin, C, rows, sum, val, type, complex_sums, LANES);                  \
    }
SPMV__SPGEMM_TABLE(X)
#undef X

static rows_summer *const sum_kind[SPMV__PRODUCT_places] = {
#define X(name, type, complex_sums) [SPMV__PRODUCT_##name] = sum_##name,
    SPMV__SPGEMM_TABLE(X)
#undef X
};

void spmv__sum_planned_rows(const spmv__spgemm *job, const bool *twin, const spmv_csr *C,
                            const spmv__planned_rows *rows, double *sum, void *val)
{
    sum_kind[job->kind](job, twin, C, rows, sum, val);
}
