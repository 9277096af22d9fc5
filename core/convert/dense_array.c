/* dense_array.c -- to and from a dense array, the form in which a matrix is easiest to check. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"

static spmv_status fill(spmv_coo *A, const double *dense, spmv_error *err)
{
    const spmv_type type = spmv__double_type(A->type);
    int64_t size, bytes, n = 0, q = 0;
    if (!spmv__product(A->rows, A->cols, &size) ||
        !spmv__product(size, (int64_t)spmv_type_size(type), &bytes))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%lld x %lld is not the shape of a dense array", (long long)A->rows,
                          (long long)A->cols);
    if (dense == NULL && size > 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no dense array to read");
    for (int64_t i = 0; i < size; i++) n += !spmv__is_zero(spmv__scalar(type, dense, i));

    spmv_status st = spmv_coo_create(A, A->type, A->rows, A->cols, n, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < size; i++) {
        const spmv_scalar value = spmv__scalar(type, dense, i);
        if (spmv__is_zero(value)) continue;
        A->row_idx[q] = i / A->cols;
        A->col_idx[q] = i % A->cols;
        spmv__set_scalar(A->type, A->val, q++, value);
    }
    return SPMV_SUCCESS;
}

spmv_status spmv_from_dense(spmv_matrix *out, spmv_format format, spmv_type type, int64_t rows,
                            int64_t cols, const double *dense, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_status st;
    spmv_matrix A = spmv__blank(SPMV_COO, type, SPMV_GENERAL, rows, cols, 0);

    memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__check_head(&A, err));
    SPMV__TRY(fill(&A.coo, dense, err));
    SPMV__TRY(spmv__convert_move(out, &A, format, NULL, err));
done:
    spmv_destroy(&A);
    return st;
}

typedef struct target {
    const spmv_head *head;
    double *dense;
} target;

static void put(void *user, int64_t row, int64_t col, const void *val)
{
    const target *t = user;
    const spmv_head *A = t->head;
    const spmv_type type = spmv__double_type(A->type);
    const spmv_scalar value = spmv__scalar(A->type, val, 0);
    spmv__set_scalar(type, t->dense, row * A->cols + col, value);
    if (row != col && A->symmetry != SPMV_GENERAL)
        spmv__set_scalar(type, t->dense, col * A->cols + row, spmv__mirrored(A->symmetry, value));
}

void spmv_to_dense(const spmv_matrix *A, double *dense)
{
    const spmv__format *f = A != NULL ? spmv__format_of(A->format) : NULL;
    if (f == NULL || dense == NULL) return;
    target t = {&A->head, dense};
    for (int64_t i = 0; i < A->head.rows * A->head.cols; i++)
        spmv__set_value(spmv__double_type(A->head.type), dense, i, 0);
    f->each(A, put, &t);
}
