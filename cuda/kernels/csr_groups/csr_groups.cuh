/* csr_groups.cuh -- how csr-groups stores rows that share their columns: what its plan makes and
 * its kernel reads. */
#pragma once

#include "cuda/kernels/csr_merge/csr_merge.cuh"

namespace spmv
{

constexpr int GROUP = 4; /* neighbouring rows */

/* A plan, whose arrays are on the device. */
struct groups_plan {
    merge_plan *rows;   /* of the matrix as it is */
    merge_plan *groups; /* of its groups; NULL: its rows share too few columns */
    /* The groups as rows: offsets and columns, both int32_t, of the slots, with a bit for each row
     * of the group above the column; values [slots x GROUP], 0 where a row has none. */
    spmv_csr slots;
};

spmv_status groups_plan_create(void **plan, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                               const spmv_kernel_options *options, spmv_error *err);
void groups_plan_destroy(void *plan); /* NULL is fine */

} // namespace spmv
