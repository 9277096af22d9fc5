/* csell_rows.cuh -- what the files of csell know of each other. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

constexpr int CSELL_THREADS = 128; /* of a block */

/* Returns how many slices there are. */
inline int64_t csell_slices(const spmv_csell *A)
{
    return (A->rows + A->slice - 1) / A->slice;
}

/* Enqueue a product, for so many multiprocessors: of a matrix whose slices may all have lists, and
 * faster, where hardly any has. */
void csell_many_lists(const spmv__launch *run, int multiprocessors);
void csell_few_lists(const spmv__launch *run, int multiprocessors);

} // namespace spmv
