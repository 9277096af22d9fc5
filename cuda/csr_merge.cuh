/* csr_merge.cuh -- how csr-merge divides a matrix: what its plan makes and its kernel reads. */
#ifndef SPMV_CSR_MERGE_CUH
#define SPMV_CSR_MERGE_CUH

#include "warp.cuh"

namespace spmv
{

/* Rows + nonzeros per thread.  Odd: neighbouring threads then read different banks. */
constexpr int MERGE_ITEMS = 7;

/* A point of the merge path: the rows before `row` have ended, the nonzeros before `p` are taken.
 * It is open when the nonzeros of `row` began before p, so that the row belongs to several tiles.
 */
struct merge_cut {
    int64_t row, p;
    bool open;
};

/* A row that lies in the tiles first to last, first < last. */
struct merge_long_row {
    int64_t row, first, last;
};

/* On the device: tile b lies between cuts b and b + 1. */
struct merge_plan {
    int64_t tiles, long_rows;
    merge_cut *cuts;          /* [tiles + 1] */
    merge_long_row *long_row; /* [long_rows] */
    void *head, *tail;        /* [tiles], sums of the rows open at the start and at the end,
                                 with room for complex ones */
};

spmv_status merge_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                              const spmv_config *config, spmv_error *err);
void merge_plan_destroy(void *plan);

/* How many of the ascending `ends` come before diagonal d of the merge path with nnz positions. */
template <class I, class F>
__device__ inline I merge_search(I d, I rows, I nnz, F end)
{
    I low = d > nnz ? d - nnz : 0, high = d < rows ? d : rows;
    while (low < high) {
        const I middle = low + (high - low) / 2;
        if (end(middle) <= d - 1 - middle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace spmv

#endif
