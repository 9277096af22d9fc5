/* csell_build.cuh -- CSR to CSELL on the GPU: the same arrays, bit for bit, as core/csell makes on
 * the host.
 *
 * A warp tries one form after another for its slice, and takes the cheapest, as
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
    const I *row_ptr, *row_end; /* [rows] */
    const int32_t *col_idx;
    const int32_t *perm; /* NULL: rows are in their own order */
};

/* What a row has in common with the one before it, where they stand. */
constexpr int SAME_COLUMNS = 1, SAME_DISTANCES = 2; /* column - row */

/* What row lengths, first and last columns say of a slice. */
struct csell_bounds {
    int32_t width;       /* entries of the longest row */
    int32_t low, high;   /* the least and the greatest column; 0 and -1 where there is no entry */
    int64_t left, right; /* the same of column - row */
    int64_t nnz;
};

/* What is known of all slices, on the device. */
struct csell_known {
    uint8_t *same;        /* [rows], where they stand, SAME_ of each */
    int32_t *run;         /* [rows], what divides the lengths of all runs of adjacent columns */
    csell_bounds *bounds; /* [slices] */
    int64_t *room;        /* [slices + 1], where each has its part of `scratch` */
    int32_t *scratch;
    int32_t *encoding;      /* [slices] */
    int64_t *slots, *words; /* [slices + 1], how many; then, where they begin */
};

/* Fill same, run and bounds, and room with the number of words of scratch that each slice needs,
 * for a matrix of so many entries: measure_slices.cu.  Where rows are sorted, `unsorted` is what is
 * known of them in their own order. */
template <class I>
spmv_status csell_measure(const csell_source<I> *from, const csell_known *of,
                          const csell_known *unsorted, int64_t nnz, spmv__gpu *gpu,
                          spmv_error *err);

/* Fill encoding, and the numbers of slots and words; scratch is there: choose_forms.cu. */
template <class I>
spmv_status csell_choose(const csell_source<I> *from, const csell_known *of, spmv__gpu *gpu,
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
spmv_status csell_write(const csell_source<I> *from, const csell_known *of, const csell_fill *to,
                        spmv__gpu *gpu, spmv_error *err);

/* Enqueues kernel with a warp for each slice. */
template <class I>
spmv_status for_slices(void (*kernel)(csell_source<I>, csell_known), const csell_source<I> *from,
                       const csell_known *of, spmv__gpu *gpu, spmv_error *err)
{
    if (from->slices == 0) return SPMV_SUCCESS;
    launch_kernel(kernel, blocks_for(from->slices * WARP, CSELL_BLOCK), CSELL_BLOCK, 0,
                  spmv__gpu_stream(gpu), *from, *of);
    return check_launch(CSELL_BUILD, err);
}

/* The bytes of a slot of `value` bytes, and one for the work. */
__host__ __device__ inline int64_t slot_cost(int value)
{
    return 1 + value;
}

__device__ inline int32_t greatest_divisor(int32_t a, int32_t b)
{
    while (b != 0) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

} // namespace spmv
