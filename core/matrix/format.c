/* format.c -- the table of formats, and what follows from a format's record alone: names,
 * allocating, releasing, copying, comparing, counting bytes. */
#include "core/matrix/format.h"

#include <stdlib.h>

static const spmv__format *const formats[SPMV_FORMATS] = {
#define X(id, name, meaning) [id] = &spmv__##name##_format,
    SPMV_FORMAT_TABLE(X)
#undef X
};

const spmv__format *spmv__format_of(spmv_format format)
{
    return (unsigned)format < SPMV_FORMATS ? formats[format] : NULL;
}

const char *spmv_format_name(spmv_format format)
{
    const spmv__format *f = spmv__format_of(format);
    return f != NULL ? f->name : "unknown format";
}

bool spmv_format_find(const char *name, spmv_format *out)
{
    if (name == NULL || out == NULL) return false;
    for (int i = 0; i < SPMV_FORMATS; i++) {
        if (strcmp(name, formats[i]->name) == 0) {
            *out = (spmv_format)i;
            return true;
        }
    }
    return false;
}

/* ---- Arrays --------------------------------------------------------------------------------- */

void **spmv__array_pointer(spmv_matrix *A, const spmv__array *array)
{
    return (void **)(void *)((char *)A + array->offset);
}

const void *spmv__array_data(const spmv_matrix *A, const spmv__array *array)
{
    return *(void *const *)(const void *)((const char *)A + array->offset);
}

size_t spmv__element_size(spmv__element element, spmv_type type)
{
    static const size_t sizes[] = {[SPMV__I32] = 4, [SPMV__I64] = 8};
    return element == SPMV__VALUE ? spmv_type_size(type) : sizes[element];
}

int64_t spmv__array_bytes(const spmv_matrix *A, const spmv__array *array)
{
    int64_t bytes, size = (int64_t)spmv__element_size(array->element, A->head.type);
    if (size == 0) return 0;
    return spmv__product(array->count(A), size, &bytes) ? bytes : -1;
}

int64_t spmv__param(const spmv_matrix *A, int i)
{
    const spmv__format *f = spmv__format_of(A->format);
    int64_t value;
    memcpy(&value, (const char *)A + f->params[i], sizeof value);
    return value;
}

/* ---- The head ------------------------------------------------------------------------------- */

/* The head of a format that is known. */
static spmv_status check_shape(const spmv_head *A, const spmv__format *f, spmv_error *err)
{
    long long rows = A->rows, cols = A->cols, nnz = A->nnz;
    if (rows < 0 || cols < 0 || nnz < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%lld rows, %lld columns, %lld entries: none may be negative", rows, cols,
                          nnz);
    if (rows > f->max_rows || cols > f->max_cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%lld x %lld is too large for %s, which holds at most %lld x %lld", rows,
                          cols, f->name, (long long)f->max_rows, (long long)f->max_cols);
    if (A->symmetry != SPMV_GENERAL && rows != cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%lld x %lld is not square, but one triangle stands for all of it", rows,
                          cols);
    return SPMV_SUCCESS;
}

spmv_status spmv__check_head(const spmv_matrix *A, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(A->format);
    if (f == NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "there is no matrix format %d",
                          (int)A->format);
    if ((unsigned)A->head.type >= SPMV_TYPES)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "there is no value type %d",
                          (int)A->head.type);
    if ((unsigned)A->head.symmetry >= SPMV_SYMMETRIES)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "there is no symmetry %d",
                          (int)A->head.symmetry);
    if (A->head.symmetry == SPMV_SKEW && A->head.type == SPMV_PATTERN)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "a pattern has no signs and so cannot be skew-symmetric");
    if (A->head.symmetry == SPMV_HERMITIAN && !spmv_type_is_complex(A->head.type))
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "%s values are not complex and so cannot be hermitian",
                          spmv_type_name(A->head.type));
    for (int i = 0; i < f->param_count; i++) {
        const int64_t param = spmv__param(A, i);
        if (param < 0)
            return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                              "size %d of the %s arrays is %lld: it may not be negative", i + 1,
                              f->name, (long long)param);
    }
    return check_shape(&A->head, f, err);
}

/* ---- Allocating, copying, releasing --------------------------------------------------------- */

/* Refuse a matrix whose arrays together cannot fit, before the first of them is allocated: one by
 * one each might be granted, and the machine be brought down when they are filled. */
static spmv_status check_total(const spmv_matrix *A, const spmv__format *f, spmv_error *err)
{
    int64_t total = 0;
    for (int i = 0; i < f->array_count; i++) {
        int64_t bytes = spmv__array_bytes(A, &f->arrays[i]);
        if (bytes < 0 || __builtin_add_overflow(total, bytes, &total))
            return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY,
                              "%s matrix of %lld x %lld: %s is larger than can be addressed",
                              f->name, (long long)A->head.rows, (long long)A->head.cols,
                              f->arrays[i].name);
    }
    return spmv_check_memory((double)total, f->name, err);
}

static void keep(spmv_storage *self)
{
    (void)self;
}

spmv_storage *spmv_borrowed(void)
{
    static spmv_storage borrowed = {.release = keep};
    return &borrowed;
}

spmv_status spmv__allocate(spmv_matrix *A, spmv_error *err)
{
    spmv_status st;
    const spmv__format *f = spmv__format_of(A->format);

    A->head.storage = NULL;
    for (int i = 0; f != NULL && i < f->array_count; i++)
        *spmv__array_pointer(A, &f->arrays[i]) = NULL;
    SPMV__TRY(spmv__check_head(A, err));
    if (f->adopt != NULL) f->adopt(A);
    SPMV__TRY(check_total(A, f, err));
    for (int i = 0; i < f->array_count; i++) {
        const spmv__array *array = &f->arrays[i];
        size_t size = spmv__element_size(array->element, A->head.type);
        if (size > 0)
            SPMV__TRY(spmv__alloc(spmv__array_pointer(A, array), array->count(A), size, array->name,
                                  err));
    }
done:
    if (st != SPMV_SUCCESS) spmv_destroy(A);
    return st;
}

spmv_status spmv__copy(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(A->format);
    spmv_matrix B = *A;
    spmv_status st = spmv__allocate(&B, err);
    for (int i = 0; st == SPMV_SUCCESS && i < f->array_count; i++) {
        int64_t bytes = spmv__array_bytes(A, &f->arrays[i]);
        if (bytes > 0)
            memcpy(*spmv__array_pointer(&B, &f->arrays[i]), spmv__array_data(A, &f->arrays[i]),
                   (size_t)bytes);
    }
    *out = B;
    return st;
}

void spmv_destroy(spmv_matrix *A)
{
    if (A == NULL) return;
    const spmv__format *f = spmv__format_of(A->format);
    if (A->head.storage != NULL) {
        A->head.storage->release(A->head.storage);
    } else if (f != NULL) {
        for (int i = 0; i < f->array_count; i++) free(*spmv__array_pointer(A, &f->arrays[i]));
    }
    memset(A, 0, sizeof *A);
}

/* ---- Reshaping ------------------------------------------------------------------------------ */

spmv_matrix spmv__relabel(const spmv_matrix *A)
{
    spmv_format other = A->format == SPMV_CSR ? SPMV_CSC : SPMV_CSR;
    const spmv_head *h = &A->head;
    spmv_matrix B = spmv__blank(other, h->type, h->symmetry, h->cols, h->rows, h->nnz);
    if (other == SPMV_CSC) {
        B.csc.col_ptr = A->csr.row_ptr;
        B.csc.row_idx = A->csr.col_idx;
        B.csc.val = A->csr.val;
    } else {
        B.csr.row_ptr = A->csc.col_ptr;
        B.csr.col_idx = A->csc.row_idx;
        B.csr.val = A->csc.val;
    }
    return B;
}

void spmv__counts_to_offsets(int64_t *ptr, int64_t n)
{
    for (int64_t i = 0; i < n; i++) ptr[i + 1] += ptr[i];
}

/* ---- Comparing and counting ----------------------------------------------------------------- */

static bool same_head(const spmv_head *a, const spmv_head *b)
{
    return a->type == b->type && a->symmetry == b->symmetry && a->rows == b->rows &&
           a->cols == b->cols && a->nnz == b->nnz;
}

bool spmv_identical(const spmv_matrix *A, const spmv_matrix *B)
{
    if (A == NULL || B == NULL || A->format != B->format || !same_head(&A->head, &B->head))
        return false;
    const spmv__format *f = spmv__format_of(A->format);
    if (f == NULL) return false;
    for (int i = 0; i < f->param_count; i++) {
        if (spmv__param(A, i) != spmv__param(B, i)) return false;
    }
    for (int i = 0; i < f->array_count; i++) {
        int64_t bytes = spmv__array_bytes(A, &f->arrays[i]);
        if (bytes > 0 && memcmp(spmv__array_data(A, &f->arrays[i]),
                                spmv__array_data(B, &f->arrays[i]), (size_t)bytes) != 0)
            return false;
    }
    return true;
}

size_t spmv_memory_bytes(const spmv_matrix *A)
{
    size_t total = 0;
    const spmv__format *f = A != NULL ? spmv__format_of(A->format) : NULL;
    for (int i = 0; f != NULL && i < f->array_count; i++)
        total += (size_t)spmv__array_bytes(A, &f->arrays[i]);
    return total;
}
