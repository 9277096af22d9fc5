/* coo_merge.c -- entries that are given for one coordinate become one. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/coo_sort.h"

/* Entry q becomes what the policy makes of entries begin .. end - 1 (q <= begin). */
static void combine(spmv_coo *A, int64_t q, int64_t begin, int64_t end, spmv_duplicates policy)
{
    A->row_idx[q] = A->row_idx[begin];
    A->col_idx[q] = A->col_idx[begin];
    if (end - begin == 1 || policy == SPMV_DUPLICATES_FIRST) {
        spmv__copy_value(A->type, A->val, q, A->val, begin);
    } else if (policy == SPMV_DUPLICATES_LAST) {
        spmv__copy_value(A->type, A->val, q, A->val, end - 1);
    } else {
        spmv_scalar sum = spmv__scalar(A->type, A->val, begin); /* 0 would lose the sign of -0 */
        for (int64_t p = begin + 1; p < end; p++) {
            sum.re += spmv__scalar(A->type, A->val, p).re;
            sum.im += spmv__scalar(A->type, A->val, p).im;
        }
        spmv__set_scalar(A->type, A->val, q, sum);
    }
}

/* From entry `first` on: those before it are given once. */
static spmv_status merge(spmv_coo *A, int64_t first, spmv_duplicates policy, spmv_error *err)
{
    int64_t q = first, end;
    for (int64_t p = first; p < A->nnz; p = end) {
        for (end = p + 1; end < A->nnz; end++) {
            if (A->row_idx[end] != A->row_idx[p] || A->col_idx[end] != A->col_idx[p]) break;
        }
        if (end - p > 1 && policy == SPMV_DUPLICATES_ERROR)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "row %lld, column %lld is given %lld times", (long long)A->row_idx[p],
                              (long long)A->col_idx[p], (long long)(end - p));
        combine(A, q++, p, end, policy);
    }
    A->nnz = q;
    return SPMV_SUCCESS;
}

/* Sorted entries, and the first of them that is given again. */
typedef struct repeat_search {
    const spmv_coo *A;
    int64_t first; /* nnz: none is */
} repeat_search;

static int64_t search_repeat(void *job, int64_t begin, int64_t end)
{
    repeat_search *s = job;
    const spmv_coo *A = s->A;
    int64_t p = begin > 0 ? begin : 1;
    while (p < end && (A->row_idx[p] != A->row_idx[p - 1] || A->col_idx[p] != A->col_idx[p - 1]))
        p++;
    if (p < end) {
#pragma omp critical(spmv__repeat)
        if (p - 1 < s->first) s->first = p - 1;
    }
    return 0;
}

static int64_t first_repeat(const spmv_coo *A)
{
    repeat_search s = {A, A->nnz};
    spmv__in_portions(search_repeat, &s, A->nnz, A->nnz, spmv__threads_for(A->nnz),
                      &(spmv__meter){0});
    return s.first;
}

/* The entries of a pattern get their values. */
static spmv_status write_ones(spmv_coo *A, spmv_error *err)
{
    double *ones = NULL;
    const spmv_status st = spmv__alloc(&ones, A->nnz, sizeof *ones, "values", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < A->nnz; p++) ones[p] = 1;
    A->type = SPMV_F64;
    A->val = ones;
    return st;
}

spmv_status spmv__coo_merge(spmv_coo *A, spmv_duplicates policy, spmv_error *err)
{
    const int64_t first = first_repeat(A);
    spmv_status st = SPMV_SUCCESS;
    if (first == A->nnz) return st;
    if (policy == SPMV_DUPLICATES_COUNT && A->type == SPMV_PATTERN) SPMV__TRY(write_ones(A, err));
    SPMV__TRY(merge(A, first, policy, err));
done:
    return st;
}
