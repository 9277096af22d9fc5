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

enum {
    SPMV__LIST_STEPS = 4,                  /* whose elements of x are loaded at once */
    SPMV__LIST_ROOM = SPMV_CSELL_SLICE + 8 /* of a step: eight are loaded, whatever there is */
};

/* A walk over the steps of a slice with lists. */
typedef struct spmv__list_walk {
    int64_t lists, run;
    int64_t room;                     /* words of a list */
    int64_t at, of_run;               /* the code of the next step, and the column of its run */
    int32_t column[SPMV_CSELL_SLICE]; /* [lists] the first of the run; negative: padding */
} spmv__list_walk;

SPMV__INLINE void spmv__list_walk_begin(spmv__list_walk *w, int bits, const spmv__slice *s,
                                        int64_t lists)
{
    w->lists = lists;
    w->run = spmv__list_run(s);
    w->room = spmv__list_room(s) * bits / 32;
    w->at = w->of_run = 0;
}

/* Where the bits of slots begin, behind the lists. */
SPMV__INLINE int64_t spmv__list_bits(const spmv__list_walk *w, const spmv__slice *s)
{
    return spmv__list_head(s->lanes) + w->lists * w->room;
}

SPMV__INLINE void spmv__find_columns(spmv__list_walk *w, int bits, const spmv__slice *s)
{
    const uint32_t none = UINT32_MAX >> (32 - bits);
    const int32_t *list = s->code + spmv__list_head(s->lanes);
    for (int64_t l = 0; l < w->lists; l++) {
        const uint32_t code = spmv__code(list + l * w->room, bits, w->at);
        w->column[l] = code != none ? (int32_t)((uint32_t)s->code[0] + code) : -1;
    }
}

/* xs [n, SPMV__LIST_ROOM] = the elements of x of all lists in the next n steps. */
SPMV__INLINE void spmv__take_steps(spmv__list_walk *w, spmv_type x_type, int bits,
                                   const spmv__slice *s, int n, const void *x, double *xs)
{
    for (int e = 0; e < n; e++, xs += SPMV__LIST_ROOM) {
        if (w->of_run == 0) spmv__find_columns(w, bits, s);
        for (int64_t l = 0; l < w->lists; l++) {
            int64_t c = w->column[l];
            __asm__("" : "+r"(c)); /* one by one: gathering them takes 1.2 times as long */
            xs[l] = c >= 0 ? spmv__value(x_type, x, c + w->of_run) : 0;
        }
        w->of_run = w->of_run + 1 < w->run ? w->of_run + 1 : 0;
        w->at += w->of_run == 0;
    }
}
