/* csr_split.cuh -- how csr-split divides a matrix: what its plan makes and its kernel reads. */
#pragma once

#include "cuda/kernels/csr_merge/csr_merge.cuh"
#include "cuda/device/plan.cuh"

namespace spmv
{

struct split_plan {
    merge_plan *merge; /* on the host, for all where slices would be mostly padding; else NULL */
    arena *kept;       /* on the host; owns the arrays below, and those of `rest` */
    spmv_gpu_matrix *rest; /* on the host: all but the long rows, which are empty there, in CSELL */
    void *rest_plan;       /* the plan of csell for it */
    int piece;             /* entries of a long row that a block adds up */
    int64_t long_rows, pieces;
    merge_long_row *row; /* [long_rows] */
    void *sums;          /* [pieces], with room for complex ones */
    void *before;        /* [long_rows], what y was there, with the same room */
};

spmv_status split_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                              const spmv_kernel_options *options, spmv_error *err);
void split_plan_destroy(void *plan);

} // namespace spmv
