/* placed_row.c -- values of a short row of C, by a table that says where each product goes.
 *
 * A byte for each product is its place among the entries of the row, whose sums lie side by side:
 * the columns of B are not read, and the sums stay where they are quick to reach, however far apart
 * the columns are. */
#include "core/spgemm/planned_product.h"
#include "core/spgemm/product.h"

/* Entries of A from which values of B are asked for, since its rows may lie anywhere, and the
 * places of these rows. */
enum { NEAR = 16, FAR = 32 };

/* Ask for what a later entry of A needs of `array`, which has elements of `size` bytes for B. */
SPMV__INLINE void prefetch(const spmv_csr *A, const spmv_csr *B, int64_t p, const void *array,
                           size_t size)
{
    if (p + FAR >= A->nnz) return;
    __builtin_prefetch(B->row_ptr + A->col_idx[p + FAR]);
    __builtin_prefetch((const char *)array + (size_t)B->row_ptr[A->col_idx[p + NEAR]] * size);
}

/* The place of a column among those of a row; n where it is not there, which a mask has left out.
 * Which half comes next is not foreseeable: no branch. */
static int64_t place_of(const int32_t *col, int64_t n, int32_t wanted)
{
    const int32_t *first = col;
    for (int64_t left = n; left > 1;) {
        const int64_t half = left / 2;
        first += (first[half] <= wanted) * half;
        left -= half;
    }
    return n > 0 && *first == wanted ? first - col : n;
}

void spmv__find_places(const spmv__planned_product *product, int64_t i, uint8_t *place)
{
    const spmv_csr *A = &product->p.job.A, *B = &product->p.job.B, *C = &product->C;
    const int32_t *col = C->col_idx + C->row_ptr[i];
    const int64_t n = C->row_ptr[i + 1] - C->row_ptr[i];
    for (int64_t p = A->row_ptr[i]; p < A->row_ptr[i + 1]; p++) {
        prefetch(A, B, p, B->col_idx, sizeof *B->col_idx);
        for (int64_t q = B->row_ptr[A->col_idx[p]]; q < B->row_ptr[A->col_idx[p] + 1]; q++)
            *place++ = (uint8_t)place_of(col, n, B->col_idx[q]);
    }
}

SPMV__INLINE void sum_row(const spmv__spgemm *job, const spmv_csr *C, int64_t i,
                          const uint8_t *place, void *val, spmv_type type, bool complex_sums)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    const int64_t first = C->row_ptr[i], n = C->row_ptr[i + 1] - first;
    const int parts = complex_sums ? 2 : 1;
    double sum[2 * (SPMV__PLACES + 1)];
    for (int64_t k = 0; k < parts * n; k++) sum[k] = 0;
    for (int64_t p = A->row_ptr[i]; p < A->row_ptr[i + 1]; p++) {
        const int64_t begin = B->row_ptr[A->col_idx[p]], end = B->row_ptr[A->col_idx[p] + 1];
        const spmv__factor a = spmv__factor_of(A, p);
        prefetch(A, B, p, B->val, spmv_type_size(type));
        for (int64_t q = begin; q < end; q++)
            spmv__add_to_sum(sum, *place++, complex_sums, spmv__product_of(a, type, B->val, q));
    }
    spmv__put_sums(job->type, val, first, sum, n);
}

typedef void row_summer(const spmv__spgemm *job, const spmv_csr *C, int64_t i, const uint8_t *place,
                        void *val);
#define X(name, type, complex_sums)                                               \
    static void sum_##name(const spmv__spgemm *job, const spmv_csr *C, int64_t i, \
                           const uint8_t *place, void *val)                       \
    {                                                                             \
        sum_row(job, C, i, place, val, type, complex_sums);                       \
    }
SPMV__SPGEMM_TABLE(X)
#undef X

static row_summer *const sum_kind[SPMV__PRODUCT_places] = {
#define X(name, type, complex_sums) [SPMV__PRODUCT_##name] = sum_##name,
    SPMV__SPGEMM_TABLE(X)
#undef X
};

void spmv__sum_placed_row(const spmv__spgemm *job, const spmv_csr *C, int64_t i,
                          const uint8_t *place, void *val)
{
    sum_kind[job->kind](job, C, i, place, val);
}
