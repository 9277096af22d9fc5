/* integer_sums.c -- sums of integers that are too large to be exact.
 *
 * A sum of products of integers is exact as long as it stays below 2^53 (2^24 in single precision),
 * and so are most.  Whether one may not be follows from the largest values of A and B and from the
 * number of products that a sum can have. */
#include "core/comm/transport.h"
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/spgemm/spgemm.h"

#include <math.h>

/* The first integer after which not all have a number of this precision. */
static double limit_of(spmv_type type)
{
    return spmv__is_single(type) ? 0x1p24 : 0x1p53;
}

/* *largest = the largest absolute value among those of n, or false where one is no integer.  Every
 * large number looks like one: beyond 64 bits none was meant. */
static bool largest_integer(double *largest, spmv_type type, const void *val, int64_t n)
{
    for (int64_t p = 0; p < n; p++) {
        const spmv_scalar value = spmv__scalar(type, val, p);
        const double re = fabs(value.re), im = fabs(value.im);
        if (!(re <= 0x1p64 && im <= 0x1p64) || re != trunc(re) || im != trunc(im)) return false;
        if (re > *largest) *largest = re;
        if (im > *largest) *largest = im;
    }
    return true;
}

/* The same of all values of A; those of a pattern are 1. */
static bool largest_of(double *largest, const spmv_matrix *A)
{
    const spmv__format *format = spmv__format_of(A->format);
    *largest = A->head.type == SPMV_PATTERN;
    for (int k = 0; k < format->array_count && A->head.type != SPMV_PATTERN; k++) {
        const spmv__array *array = &format->arrays[k];
        if (array->element == SPMV__VALUE &&
            !largest_integer(largest, A->head.type, spmv__array_data(A, array), array->count(A)))
            return false;
    }
    return true;
}

/* Whether sums of so large integers as there are in A and B may be too large to be exact. */
static bool may_exceed(const spmv_head *A, const spmv_head *B, double a, double b,
                       const spmv_spgemm_options *options)
{
    const spmv_type type = spmv_spgemm_type(A->type, B->type);
    const bool transposed = options != NULL && options->transpose_a;
    const double terms = (double)(transposed ? A->rows : A->cols);
    return a * b * terms * spmv__parts(type) >= limit_of(type);
}

bool spmv_spgemm_may_round(const spmv_matrix *A, const spmv_matrix *B,
                           const spmv_spgemm_options *options)
{
    double a, b = 0;
    if (options != NULL && options->boolean) return false;
    if (!largest_of(&a, A) || !largest_of(&b, B)) return false;
    return may_exceed(&A->head, &B->head, a, b, options);
}

bool spmv_spgemm_may_round_on_ranks(spmv_comm *comm, const spmv_part *A, const spmv_part *B,
                                    const spmv_spgemm_options *options)
{
    const spmv_matrix own_a = spmv__wrap_csr(&A->own), own_b = spmv__wrap_csr(&B->own);
    const spmv_head a = {.type = A->own.type, .rows = A->rows, .cols = A->cols};
    const spmv_head b = {.type = B->own.type, .rows = B->rows, .cols = B->cols};
    double mine[2], most[2] = {0};
    bool integers = true;
    if (options != NULL && options->boolean) return false;
    if (!largest_of(&mine[0], &own_a)) mine[0] = -1;
    if (!largest_of(&mine[1], &own_b)) mine[1] = -1;
    spmv_comm_gather(comm, mine, 2, comm->number);
    for (int i = 0; i < 2 * comm->size; i++) {
        integers = integers && comm->number[i] >= 0;
        if (comm->number[i] > most[i % 2]) most[i % 2] = comm->number[i];
    }
    return integers && may_exceed(&a, &b, most[0], most[1], options);
}

void spmv_rounded_sums_add(spmv_rounded_sums *sums, const spmv_csr *C, const spmv_row_piece *piece)
{
    const int64_t first = C->row_ptr[piece->begin];
    const double limit = limit_of(C->type);
    if (C->type == SPMV_PATTERN) return;
    for (int64_t i = piece->begin; i < piece->end; i++) {
        for (int64_t k = C->row_ptr[i] - first; k < C->row_ptr[i + 1] - first; k++) {
            const spmv_scalar value = spmv__scalar(C->type, piece->val, k);
            const double size = fmax(fabs(value.re), fabs(value.im));
            if (size < limit || isinf(size)) continue;
            if (sums->count++ > 0) continue;
            sums->row = i;
            sums->col = piece->col_idx[k];
            sums->size = size;
        }
    }
}
