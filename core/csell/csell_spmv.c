/* csell_spmv.c -- y = alpha A x + beta y for sliced ELLPACK with compressed columns on the CPU.
 *
 * Where csell_sums.c has a function for the form and the types, it sums the slice; else columns are
 * unpacked, and it is added as one of SELL.  Each row is summed in storage order: the result does
 * not depend on the number of threads.
 */
#include "core/csell/csell_kernels.h"

enum { UNPACKED = 2048 }; /* columns at a time */

typedef struct csell_product {
    const spmv_csell *A;
    const void *x;
    spmv__diagonal_add add;
    spmv__slice_sums sums[SPMV_CSELL_ENCODINGS]; /* NULL: columns are unpacked */
    spmv__output out;
} csell_product;

/* Columns are unpacked some steps at a time, into the first-level cache, and added as in SELL. */
static void sum_unpacked(const csell_product *j, const spmv__slice *slice,
                         const spmv__csell_form *form, double *sum)
{
    const int64_t batch = UNPACKED / slice->lanes;
    int32_t col[UNPACKED];
    for (int64_t k = 0; k < slice->steps; k += batch) {
        const int64_t n = slice->steps - k < batch ? slice->steps - k : batch;
        for (int64_t i = 0; i < n; i++)
            form->decode(form, slice, k + i, 0, slice->rows, col + i * slice->lanes);
        j->add(slice->rows, n, slice->lanes, col,
               spmv__value_at(j->A->type, j->A->val, slice->slot + k * slice->lanes), j->x, sum);
    }
}

/* Returns whether to add a slice as one of SELL: its columns are not compressed, and there is no
 * function for it, or it is small enough for `add` to keep all its sums in registers. */
static bool is_sell(const csell_product *j, int encoding, int64_t lanes)
{
    return encoding == SPMV_CSELL_FAR && (j->sums[encoding] == NULL || lanes == SPMV_CSELL_LANES);
}

static void sum_slice(const csell_product *j, int64_t s)
{
    const spmv_csell *A = j->A;
    const int encoding = A->encoding[s];
    const spmv__slice slice = spmv__csell_slice(A, s);
    const spmv__csell_form *form = spmv__csell_forms[encoding];
    double sum[2 * SPMV_CSELL_SLICE];

    memset(sum, 0, (size_t)(slice.lanes * spmv__parts(j->out.type)) * sizeof *sum);
    const void *val = spmv__value_at(A->type, A->val, slice.slot);
    if (is_sell(j, encoding, slice.lanes))
        j->add(slice.rows, slice.steps, slice.lanes, slice.code, val, j->x, sum);
    else if (j->sums[encoding] != NULL && !(form->relative && slice.perm != NULL))
        j->sums[encoding](&slice, val, j->x, sum);
    else
        sum_unpacked(j, &slice, form, sum);
    spmv__output_sums(&j->out, slice.perm, slice.first, slice.rows, sum);
}

void spmv__csell_multiply(const spmv_matrix *M, spmv_type vector_type, spmv_scalar alpha,
                          const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_csell *A = &M->csell;
    csell_product j = {.A = A,
                       .x = x,
                       .add = spmv__diagonal_add_for(A->type, vector_type, spmv__use_avx2()),
                       .out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y}};
    const int64_t slices = spmv__csell_slices(A);
    const int run = slices > SPMV__BLOCKS ? (int)(slices / SPMV__BLOCKS) : 1;

    (void)scratch;
    for (int e = 0; e < SPMV_CSELL_ENCODINGS; e++)
        j.sums[e] = spmv__slice_sums_for(e, A->type, vector_type, spmv__best_instructions());
    if (A->slots < SPMV__LEAST_SLOTS) threads = 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic, run) if (threads > 1)
    for (int64_t s = 0; s < slices; s++) sum_slice(&j, s);
}
