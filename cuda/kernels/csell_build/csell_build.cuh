/* csell_build.cuh -- CSR to CSELL on the GPU: the same arrays, bit for bit, as core/csell makes on
 * the host.
 *
 * A warp looks at one slice after another form, and takes the cheapest, as
 * core/csell/csell_choice.c does; then the columns that a slice writes down once are written by a
 * warp, and what every slot has of its own, values and codes, by many. */
#pragma once

#include "cuda/device/plan.cuh"

namespace spmv
{

constexpr char CSELL_BUILD[] = "making CSELL";
constexpr int CSELL_BLOCK = 128;

/* CSR on the device, with row offsets of type I, and how it is cut into slices. */
template <class I>
struct csell_source {
    int64_t rows, slices;
    int slice, value_size;
    const I *row_ptr;
    const int32_t *col_idx;
    const int32_t *perm; /* NULL: rows are in their own order */
};

/* What row lengths, first and last columns say of a slice. */
struct csell_bounds {
    int32_t width;       /* entries of the longest row */
    int32_t low, high;   /* the least and the greatest column; 0 and -1 where there is no entry */
    int64_t left, right; /* the same of column - row */
    int64_t nnz;
};

/* What is known of all slices, on the device. */
struct csell_slices {
    csell_bounds *bounds; /* [slices] */
    int64_t *room;        /* [slices + 1], where each has its part of `scratch` */
    int32_t *scratch;
    int32_t *encoding;      /* [slices] */
    int64_t *slots, *words; /* [slices + 1], how many; then, where they begin */
};

/* Fill bounds, and room with the number of words of scratch that each slice needs: choose_forms.cu.
 */
template <class I>
spmv_status csell_measure(const csell_source<I> *from, const csell_slices *of, spmv__gpu *gpu,
                          spmv_error *err);

/* Fill encoding, and the numbers of slots and words; scratch is there. */
template <class I>
spmv_status csell_choose(const csell_source<I> *from, const csell_slices *of, spmv__gpu *gpu,
                         spmv_error *err);

/* What is filled, on the device: the words, which are 0 before, and a value for each slot. */
struct csell_fill {
    int32_t *code;
    void *val;        /* NULL for a pattern, */
    const void *from; /* as are the values of the matrix */
    int64_t slots;
};

/* Fill it: write_slices.cu. */
template <class I>
spmv_status csell_write(const csell_source<I> *from, const csell_slices *of, const csell_fill *to,
                        spmv__gpu *gpu, spmv_error *err);

} // namespace spmv
