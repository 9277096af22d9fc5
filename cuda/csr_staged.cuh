/* csr_staged.cuh -- how csr-staged brings x into shared memory: what its plan makes and its kernels
 * read.
 *
 * The tiles of csr-merge are taken together into blocks, with so few entries that all of x that a
 * block multiplies with fits into the shared memory of one multiprocessor.  There it lies in slots,
 * one for each column that the block wants, in groups of 8.  A group whose columns are neighbours
 * is near: the block loads it from x.  The others are far: before, a pass over x, panel by panel,
 * takes them from shared memory and leaves them together, where the block finds them. */
#ifndef SPMV_CSR_STAGED_CUH
#define SPMV_CSR_STAGED_CUH

#include "csr_merge.cuh"

namespace spmv
{

constexpr int GROUP = 8; /* slots whose columns lie in one panel */

/* A block of tiles goes up to the next one; its slots are the near groups, then the far ones. */
struct staged_block {
    int64_t tile, near, far; /* the first of each */
};

/* Pointers into device memory; offsets of entries are int32_t. */
struct staged_plan {
    merge_plan *merge;
    int number;              /* bytes of an element of x that were planned for; 0: not staged */
    int panel;               /* columns of x that fit into shared memory */
    int slots;               /* that a block may have */
    int64_t blocks, panels;  /* not 0 */
    int64_t far;             /* groups in all */
    staged_block *block;     /* [blocks + 1] */
    uint16_t *slot;          /* [nnz], of each entry */
    int32_t *near_col;       /* [near groups, GROUP], columns */
    int32_t *first_of_panel; /* [panels * blocks + 1], far groups, by panel and then by block */
    uint16_t *code;          /* [far, GROUP], columns within the panel, by panel */
    int32_t *place;          /* [far], of each such group among the groups of all blocks */
    void *gathered;          /* [far, GROUP], elements of x, by block */
};

spmv_status staged_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                               const spmv_config *config, spmv_error *err);
void staged_plan_destroy(void *plan);

} // namespace spmv

#endif
