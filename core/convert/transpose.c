/* transpose.c -- A^T.  CSC of a matrix and CSR of its transpose are the same arrays, so the
 * counting sort between the two is all the work. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"
#include "core/convert/coo_sort.h"

static spmv_status transpose_by_counting(spmv_matrix *out, const spmv_matrix *A,
                                         const spmv_convert_options *build, spmv_error *err)
{
    spmv_matrix B;
    spmv_format other = A->format == SPMV_CSC ? SPMV_CSR : SPMV_CSC;
    spmv_status st = spmv__convert(&B, A, other, build, "transposing", err);
    if (st != SPMV_SUCCESS) return st;
    B = spmv__relabel(&B);
    return spmv__convert_move(out, &B, A->format, build, err);
}

/* Coordinates may lie in a matrix with more rows than there is memory: sort, do not count. */
static spmv_status transpose_by_sorting(spmv_matrix *out, const spmv_matrix *A,
                                        const spmv_convert_options *build, spmv_error *err)
{
    spmv_matrix B;
    spmv__meter meter = spmv__meter_of(build);
    spmv_status st = spmv__copy(&B, A, err);
    if (st != SPMV_SUCCESS) return st;
    int64_t rows = B.coo.rows, *row_idx = B.coo.row_idx;
    B.coo.rows = B.coo.cols;
    B.coo.cols = rows;
    B.coo.row_idx = B.coo.col_idx;
    B.coo.col_idx = row_idx;
    st = spmv__coo_sort(&B.coo, SPMV_DUPLICATES_ERROR, NULL, &meter, err);
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    *out = B;
    return st;
}

/* Parts that are 0 keep their sign, and with them all padding. */
static double opposite(double part)
{
    return part != 0 ? -part : part;
}

/* The lower triangle of A^T, given that of A: what A has above the diagonal, mirrored. */
static void mirror_values(spmv_matrix *A)
{
    const spmv_type type = A->head.type;
    const bool skew = A->head.symmetry == SPMV_SKEW;
    const spmv__format *f = spmv__format_of(A->format);
    for (int i = 0; i < f->array_count; i++) {
        if (f->arrays[i].role != SPMV__VALUES) continue;
        void *val = *spmv__array_pointer(A, &f->arrays[i]);
        const int64_t n = f->arrays[i].count(A);
        for (int64_t p = 0; p < n; p++) {
            const spmv_scalar v = spmv__scalar(type, val, p);
            const double re = skew ? opposite(v.re) : v.re;
            spmv__set_scalar(type, val, p, spmv__number(re, opposite(v.im)));
        }
    }
}

spmv_status spmv_transpose(spmv_matrix *out, const spmv_matrix *A,
                           const spmv_convert_options *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    if (A->head.symmetry != SPMV_GENERAL) {
        spmv_status st = spmv__copy(out, A, err);
        if (st == SPMV_SUCCESS && A->head.symmetry != SPMV_SYMMETRIC) mirror_values(out);
        return st;
    }
    return (A->format == SPMV_COO ? transpose_by_sorting : transpose_by_counting)(out, A, build,
                                                                                  err);
}
