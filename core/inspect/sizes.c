/* sizes.c -- what a matrix would take in a format, by arithmetic. */
#include "core/convert/convert.h"
#include "core/matrix/format.h"
#include "core/storage/ell.h"

#include <math.h>

static spmv_status plan_sparse(spmv_matrix *B, double *slots, const spmv_matrix *A,
                               const spmv_convert_options *build, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(B->format);
    spmv_row_stats rows;
    if (f->plan_sparse == NULL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "the size of %s is not worked out where rows are far more than entries",
                          f->name);
    spmv_status st = spmv_row_stats_compute(A, &rows, err);
    return st == SPMV_SUCCESS ? f->plan_sparse(B, slots, &rows, build, err) : st;
}

static spmv_status plan_by_rows(spmv_matrix *B, double *slots, const spmv_matrix *A,
                                const spmv_convert_options *build, spmv_error *err)
{
    spmv_matrix csr = {.format = SPMV_CSR};
    spmv_status st = SPMV_SUCCESS;
    const spmv_csr *from = &A->csr;
    if (A->format != SPMV_CSR) {
        SPMV__TRY(spmv_convert(&csr, A, SPMV_CSR, NULL, err));
        from = &csr.csr;
    }
    SPMV__TRY(spmv__format_of(B->format)->plan(B, slots, from, build, err));
done:
    spmv_destroy(&csr);
    return st;
}

/* The bytes of all arrays.  An array whose element count overflows counts as `slots` elements. */
static double bytes_of(const spmv_matrix *B, double slots)
{
    const spmv__format *f = spmv__format_of(B->format);
    double total = 0;
    for (int i = 0; i < f->array_count; i++) {
        const double size = (double)spmv__element_size(f->arrays[i].element, B->head.type);
        const int64_t elements = size > 0 ? f->arrays[i].count(B) : 0;
        total += size * (elements < 0 ? slots : (double)elements);
    }
    return total;
}

spmv_status spmv_size_of(const spmv_matrix *A, spmv_format format,
                         const spmv_convert_options *build, spmv_size *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_size){0};
    SPMV__REQUIRE_MATRIX(A, err);
    const spmv__format *f = spmv__format_of(format);
    SPMV__REQUIRE(f != NULL, err);
    const spmv_head *h = &A->head;
    spmv_matrix B = spmv__blank(format, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    double slots = 0, nnz = (double)h->nnz;
    spmv_status st;

    SPMV__TRY(spmv__check_layout(build, err));
    SPMV__TRY(spmv__check_head(&B, err));
    if (spmv__is_copy(A, format, build)) {
        *out = (spmv_size){(double)spmv_memory_bytes(A), 1, spmv__fill_limit(build), false};
        goto done;
    }
    if (f->plan != NULL && A->format != SPMV_CSR && spmv__is_hypersparse(h->rows, h->nnz))
        SPMV__TRY(plan_sparse(&B, &slots, A, build, err));
    else if (f->plan != NULL)
        SPMV__TRY(plan_by_rows(&B, &slots, A, build, err));
    if (f->adopt != NULL) f->adopt(&B);
    out->bytes = bytes_of(&B, slots);
    out->fill = slots == 0 ? 1 : nnz > 0 ? slots / nnz : INFINITY;
    out->limit = spmv__fill_limit(build);
    out->refused = spmv__check_fill(h->nnz, slots, f->name, build, NULL) != SPMV_SUCCESS;
done:
    return st;
}
