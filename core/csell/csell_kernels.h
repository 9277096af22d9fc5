/* csell_kernels.h -- sums of slices: which functions there are, and what those for AVX2 and AVX-512
 * have in common. */
#pragma once

#include "core/base/types.h"
#include "core/csell/csell.h"
#include "core/multiply/multiply.h"

/* Add the products of all steps of a slice to sum [lanes]; val is where the slice begins. */
typedef void (*spmv__slice_sums)(const spmv__slice *s, const void *val, const void *x, double *sum);

/* The function for an encoding, for values and vector of the given types and for a set of
 * instructions; NULL where there is none: columns are looked up one by one. */
spmv__slice_sums spmv__slice_sums_for(int encoding, spmv_type type, spmv_type x_type,
                                      spmv__instructions set);

/* All functions for types of values and x: SHARED, SLOTS and LISTS make one each of its name, the
 * types, and what distinguishes the form; and the line of a table that has them. */
#define SPMV__SLICE_KERNELS(name, type, x_type)              \
    SHARED(diagonal_##name, type, x_type, true, false)       \
    SHARED(diagonal_masked_##name, type, x_type, true, true) \
    SHARED(column_##name, type, x_type, false, false)        \
    SHARED(column_masked_##name, type, x_type, false, true)  \
    SLOTS(far_##name, type, x_type, false, 32)               \
    SLOTS(near_##name, type, x_type, false, 16)              \
    SLOTS(byte_##name, type, x_type, true, 8)                \
    LISTS(lists_##name, type, x_type, false, 16)             \
    LISTS(lists_far_##name, type, x_type, false, 32)         \
    LISTS(lists_masked_##name, type, x_type, true, 32)
#define SPMV__SLICE_SUMS(name, type, x_type)                 \
    {type,                                                   \
     x_type,                                                 \
     {[SPMV_CSELL_FAR] = far_##name,                         \
      [SPMV_CSELL_NEAR] = near_##name,                       \
      [SPMV_CSELL_BYTE] = byte_##name,                       \
      [SPMV_CSELL_DIAGONAL] = diagonal_##name,               \
      [SPMV_CSELL_DIAGONAL_MASKED] = diagonal_masked_##name, \
      [SPMV_CSELL_COLUMN] = column_##name,                   \
      [SPMV_CSELL_COLUMN_MASKED] = column_masked_##name,     \
      [SPMV_CSELL_LISTS] = lists_##name,                     \
      [SPMV_CSELL_LISTS_FAR] = lists_far_##name,             \
      [SPMV_CSELL_LISTS_MASKED] = lists_masked_##name}},

typedef struct spmv__slice_kernels {
    spmv_type type, x_type;
    spmv__slice_sums sums[SPMV_CSELL_ENCODINGS];
} spmv__slice_kernels;

enum { SPMV__SLICE_KERNEL_TYPES = 5 };
extern const spmv__slice_kernels spmv__avx2_slices[SPMV__SLICE_KERNEL_TYPES],
    spmv__avx512_slices[SPMV__SLICE_KERNEL_TYPES];

/* ---- Lists of columns ----------------------------------------------------------------------- */

enum { SPMV__LIST_ROOM = SPMV_CSELL_SLICE + 8 }; /* as many are loaded at once, whatever there is */

/* column [lists] = the first column that code number `at` of each list stands for; negative where
 * it is padding.  A list has `room` words. */
SPMV__INLINE void spmv__find_columns(int bits, const spmv__slice *s, int64_t lists, int64_t room,
                                     int64_t at, int32_t *column)
{
    const uint32_t none = UINT32_MAX >> (32 - bits);
    const int32_t *list = s->code + spmv__list_head(s->lanes);
    for (int64_t l = 0; l < lists; l++) {
        const uint32_t code = spmv__code(list + l * room, bits, at);
        column[l] = code != none ? (int32_t)((uint32_t)s->code[0] + code) : -1;
    }
}

/* xs [lists] = the elements of x that are `of_run` behind these columns. */
SPMV__INLINE void spmv__take_lists(spmv_type x_type, int64_t lists, const int32_t *column,
                                   int64_t of_run, const void *x, double *xs)
{
    for (int64_t l = 0; l < lists; l++) {
        int64_t c = column[l];
        __asm__("" : "+r"(c)); /* one by one: gathering them takes 1.2 times as long */
        xs[l] = c >= 0 ? spmv__value(x_type, x, c + of_run) : 0;
    }
}
