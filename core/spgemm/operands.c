/* operands.c -- A and B as compressed rows, and what is known of their product before it is made.
 */
#include "core/matrix/format.h"
#include "core/spgemm/product.h"

#include <inttypes.h>
#include <stdlib.h>

/* Products and rows from which on several threads are faster. */
enum { PARALLEL = 1 << 13 };

spmv_type spmv_spgemm_type(spmv_type a, spmv_type b)
{
    const bool is_complex = spmv_type_is_complex(a) || spmv_type_is_complex(b);
    const bool is_double = a == SPMV_F64 || b == SPMV_F64 || a == SPMV_C128 || b == SPMV_C128 ||
                           (a == SPMV_PATTERN && b == SPMV_PATTERN);
    if (is_complex) return is_double ? SPMV_C128 : SPMV_C64;
    return is_double ? SPMV_F64 : SPMV_F32;
}

void spmv__prepared_product_destroy(spmv__prepared_product *p)
{
    spmv_destroy(&p->A);
    spmv_destroy(&p->B);
    spmv_destroy(&p->mask);
    free(p->before);
    memset(p, 0, sizeof *p);
}

/* rows = A or A^T as compressed rows: a view of A where it has them, else one of *own. */
static spmv_status compressed_rows(spmv_csr *rows, spmv_matrix *own, const spmv_matrix *A,
                                   bool transpose, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (!transpose && A->format == SPMV_CSR) {
        *rows = A->csr;
    } else if (transpose && A->format == SPMV_CSC) {
        *rows = spmv__relabel(A).csr;
    } else {
        st = spmv_convert(own, A, transpose ? SPMV_CSC : SPMV_CSR, NULL, err);
        if (st == SPMV_SUCCESS && transpose) *own = spmv__relabel(own);
        *rows = own->csr;
    }
    return st;
}

static spmv_status check_operand(const spmv_matrix *A, const char *name, spmv_error *err)
{
    const spmv_status st = spmv__check_given(A, name, err);
    return st == SPMV_SUCCESS ? spmv__check_named_whole(A->head.symmetry, name, err) : st;
}

spmv_status spmv__product_check_shapes(const spmv_head *a, const spmv_head *b, const spmv_head *m,
                                       const spmv_spgemm_options *o, spmv_error *err)
{
    const int64_t rows = o->transpose_a ? a->cols : a->rows,
                  cols = o->transpose_b ? b->rows : b->cols;
    const int64_t a_cols = o->transpose_a ? a->rows : a->cols;
    const int64_t b_rows = o->transpose_b ? b->cols : b->rows;
    if (o->top < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a row cannot keep its %" PRId64 " largest entries", o->top);
    if (a_cols != b_rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A has %" PRId64 " columns and B %" PRId64 " rows, which must be as many",
                          a_cols, b_rows);
    if (m != NULL && (m->rows != rows || m->cols != cols))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "the mask is %" PRId64 " x %" PRId64 ", and the product %" PRId64
                          " x %" PRId64,
                          m->rows, m->cols, rows, cols);
    return SPMV_SUCCESS;
}

/* before[i + 1] = products of row i, none where the mask has no entry, then their running sum. */
static void count_products(const spmv__spgemm *job, int64_t *before, int threads)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    if (threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(guided) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < A->rows; i++) {
        int64_t n = 0;
        const int64_t end = spmv__mask_is_empty(job, i) ? A->row_ptr[i] : A->row_ptr[i + 1];
        for (int64_t p = A->row_ptr[i]; p < end; p++)
            n += B->row_ptr[A->col_idx[p] + 1] - B->row_ptr[A->col_idx[p]];
        before[i + 1] = n;
    }
    spmv__counts_to_offsets(before, A->rows);
}

spmv_status spmv__product_operands(spmv__prepared_product *out, const spmv_matrix *A,
                                   const spmv_matrix *B, const spmv_spgemm_options *o,
                                   spmv_error *err)
{
    spmv__spgemm *job = &out->job;
    spmv_status st;
    memset(out, 0, sizeof *out);
    SPMV__TRY(check_operand(A, "A", err));
    SPMV__TRY(check_operand(B, "B", err));
    if (o->mask != NULL) SPMV__TRY(check_operand(o->mask, "the mask", err));
    SPMV__TRY(spmv__product_check_shapes(&A->head, &B->head,
                                         o->mask != NULL ? &o->mask->head : NULL, o, err));
    SPMV__TRY(compressed_rows(&job->A, &out->A, A, o->transpose_a, err));
    if (A == B && o->transpose_a == o->transpose_b)
        job->B = job->A;
    else
        SPMV__TRY(compressed_rows(&job->B, &out->B, B, o->transpose_b, err));
    if (o->mask != NULL) {
        SPMV__TRY(compressed_rows(&out->mask_rows, &out->mask, o->mask, false, err));
        job->mask = &out->mask_rows;
    }
    job->type = o->boolean ? SPMV_PATTERN : spmv_spgemm_type(A->head.type, B->head.type);
    job->kind = spmv__product_kind(job->B.type, job->type);
    job->drop_zeros = o->drop_zeros;
    job->top = o->top;
    job->plain = o->serial;
    out->threads = o->serial ? 1 : spmv__threads(o->threads);
done:
    if (st != SPMV_SUCCESS) spmv__prepared_product_destroy(out);
    return st;
}

spmv_status spmv__product_prepare(spmv__prepared_product *out, const spmv_matrix *A,
                                  const spmv_matrix *B, const spmv_spgemm_options *o,
                                  spmv_error *err)
{
    spmv__spgemm *job = &out->job;
    spmv_status st = spmv__product_operands(out, A, B, o, err);
    if (st != SPMV_SUCCESS) return st;
    SPMV__TRY(spmv__alloc(&out->before, job->A.rows + 1, sizeof *out->before, "rows of the product",
                          err));
    const double start = spmv_now();
    count_products(job, out->before, job->A.nnz > SPMV__PARALLEL_NNZ ? out->threads : 1);
    out->counting = spmv_now() - start;
    if (out->before[job->A.rows] + job->A.rows < PARALLEL) out->threads = 1;
done:
    if (st != SPMV_SUCCESS) spmv__prepared_product_destroy(out);
    return st;
}

int64_t spmv__product_bytes(const spmv__spgemm *job, double nnz)
{
    const double entry = (double)(sizeof(int32_t) + spmv_type_size(job->type));
    const double bytes = nnz * entry + 8.0 * (double)(job->A.rows + 1);
    return bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
}
