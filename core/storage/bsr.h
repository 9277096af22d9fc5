/* bsr.h -- how the blocks of BSR lie in its arrays. */
#pragma once

#include "core/matrix/format.h"

/* Groups of `block` rows or columns, the last of which may have fewer. */
static inline int64_t spmv__bsr_groups(int64_t n, int64_t block)
{
    return n / block + (n % block != 0);
}

/* Words of the mask of a block. */
static inline int64_t spmv__bsr_mask_words(const spmv_bsr *A)
{
    return (A->block * A->block + 31) / 32;
}

/* Whether there is an entry at a place of block k; places go down its columns. */
static inline bool spmv__bsr_is_entry(const spmv_bsr *A, int64_t k, int64_t place)
{
    const uint32_t word = (uint32_t)A->mask[k * spmv__bsr_mask_words(A) + place / 32];
    return (word >> (place % 32) & 1) != 0;
}

/* A spmv__cpu_multiply. */
void spmv__bsr_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads);
