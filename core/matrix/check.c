/* check.c -- is a matrix what it promises to be?  What all formats share; what is particular to
 * one stands in its own file.  Nothing is trusted but the lengths of the arrays. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"

/* The first entry on the diagonal whose imaginary part is not 0. */
typedef struct diagonal {
    spmv_type type;
    bool found;
    int64_t row;
    double im;
} diagonal;

static void look_at_diagonal(void *user, int64_t row, int64_t col, const void *val)
{
    diagonal *d = user;
    const double im = spmv__scalar(d->type, val, 0).im;
    if (row != col || im == 0 || d->found) return;
    d->found = true;
    d->row = row;
    d->im = im;
}

/* Check that the diagonal, which equals its own conjugate, is real.  Everything else has been
 * checked. */
static spmv_status check_hermitian(const spmv_matrix *A, spmv_error *err)
{
    diagonal d = {.type = A->head.type};
    spmv__format_of(A->format)->each(A, look_at_diagonal, &d);
    if (!d.found) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "the diagonal of a hermitian matrix is real, but row %lld has the imaginary "
                      "part %g there",
                      (long long)d.row, d.im);
}

spmv_status spmv__check_arrays(const spmv_matrix *A, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(A->format);
    const spmv_head *h = &A->head;
    if (f == NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no matrix format %d",
                          (int)A->format);
    if ((unsigned)h->type >= SPMV_TYPES)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no type of values %d",
                          (int)h->type);
    if (h->rows < 0 || h->cols < 0 || h->nnz < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a %s matrix of %lld x %lld with %lld entries", f->name,
                          (long long)h->rows, (long long)h->cols, (long long)h->nnz);
    for (int i = 0; i < f->array_count; i++)
        if (spmv__array_data(A, &f->arrays[i]) == NULL && spmv__array_bytes(A, &f->arrays[i]) != 0)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s matrix has no %s", f->name,
                              f->arrays[i].name);
    return SPMV_SUCCESS;
}

spmv_status spmv__check_given(const spmv_matrix *A, const char *name, spmv_error *err)
{
    if (A == NULL) return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is missing", name);
    return spmv__check_arrays(A, err);
}

spmv_status spmv__check_named_whole(spmv_symmetry symmetry, const char *name, spmv_error *err)
{
    if (symmetry == SPMV_GENERAL) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "only one triangle of %s is stored; expand it first", name);
}

spmv_status spmv__check_square(int64_t rows, int64_t cols, spmv_error *err)
{
    if (rows == cols) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                      "a graph is a square matrix, this one is %lld x %lld", (long long)rows,
                      (long long)cols);
}

spmv_status spmv_check(const spmv_matrix *A, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL, err);
    spmv_status st;
    const spmv__format *f = spmv__format_of(A->format);

    SPMV__TRY(spmv__check_head(A, err));
    if (spmv__check_arrays(A, err) != SPMV_SUCCESS) return SPMV_ERROR_INVALID_FORMAT;
    for (int i = 0; i < f->array_count; i++) {
        const spmv__array *array = &f->arrays[i];
        const bool present = spmv__array_data(A, array) != NULL;
        if (present && array->role == SPMV__VALUES && A->head.type == SPMV_PATTERN)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s pattern has a %s", f->name,
                              array->name);
    }
    SPMV__TRY(f->check(A, err));
    if (A->head.symmetry == SPMV_HERMITIAN) SPMV__TRY(check_hermitian(A, err));
done:
    return st;
}

spmv_status spmv__bad_entry(const spmv_matrix *A, int64_t p, int64_t row, int64_t col,
                            spmv_error *err)
{
    static const char *const stored[] = {
        [SPMV_SYMMETRIC] = "lower", [SPMV_SKEW] = "strictly lower", [SPMV_HERMITIAN] = "lower"};
    const spmv_head *h = &A->head;
    bool inside = (uint64_t)row < (uint64_t)h->rows && (uint64_t)col < (uint64_t)h->cols;
    if (inside && !spmv__entry_valid(h, row, col))
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "entry %lld at row %lld, column %lld is not in the %s triangle",
                          (long long)p, (long long)row, (long long)col, stored[h->symmetry]);
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      inside ? "entry %lld at row %lld, column %lld is out of order in %lld x %lld"
                             : "entry %lld at row %lld, column %lld is outside %lld x %lld",
                      (long long)p, (long long)row, (long long)col, (long long)h->rows,
                      (long long)h->cols);
}

spmv_status spmv__check_offsets(const int64_t *ptr, int64_t n, int64_t nnz, const char *name,
                                spmv_error *err)
{
    if (ptr[0] != 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s[0] is %lld, expected 0", name,
                          (long long)ptr[0]);
    bool falls = false;
    for (int64_t i = 0; i < n; i++) falls |= ptr[i + 1] < ptr[i];
    for (int64_t i = 0; falls && i < n; i++) {
        if (ptr[i + 1] < ptr[i])
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s falls from %lld to %lld at %lld",
                              name, (long long)ptr[i], (long long)ptr[i + 1], (long long)(i + 1));
    }
    if (ptr[n] != nnz)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s ends at %lld, expected %lld entries",
                          name, (long long)ptr[n], (long long)nnz);
    return SPMV_SUCCESS;
}
