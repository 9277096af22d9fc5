/* csr_staged.cuh -- how csr-staged brings x into shared memory: what its plan makes and its kernels
 * read.
 *
 * The tiles of csr-merge are taken together into blocks, as long as all of x that a block
 * multiplies with fits into the shared memory of one multiprocessor.  There it lies in slots,
 * one for each column that the block wants, in groups of 8.  A group whose columns are neighbours
 * is near: the block loads it from x.  The others are far: before, a pass over x, panel by panel,
 * takes them from shared memory and leaves them together, where the block finds them.  Values and
 * slots of a block lie in slices. */
#ifndef SPMV_CSR_STAGED_CUH
#define SPMV_CSR_STAGED_CUH

#include "csr_merge.cuh"

#include <cub/device/device_scan.cuh>

namespace spmv
{

constexpr int GROUP = 8;                          /* slots whose columns lie in one panel */
constexpr int STAGED_STEPS = 24;                  /* entries of a lane, at most */
constexpr int STAGED_PIECE = STAGED_STEPS * WARP; /* of a piece of a long row */

/* A block of tiles goes up to the next one; its slots are the near groups, then the far ones. */
struct staged_block {
    int64_t entry, row, piece, slice, near, far; /* the first of each */
    unsigned long long empty;                    /* rows without entries, about */
};

/* Pointers into device memory; offsets of entries are int32_t. */
struct staged_plan {
    merge_plan *whole;               /* on the host, of the matrix as it is */
    merge_plan *merge;               /* on the host, of what is multiplied with: the same, or of its
                                        parts */
    const merge_tile<int32_t> *tile; /* [tiles + 1] of merge */
    merge_long_row *long_row;        /* of merge */
    void *part_sum;                  /* [panels, rows] of parts of rows, or NULL */
    int64_t tiles, pieces;
    bool split;                    /* rows are cut into parts */
    int64_t least_blocks, at_once; /* as many at least; on all multiprocessors */
    int entries;                   /* of a small block, before the tile that goes beyond */
    int number;              /* bytes of an element of x that were planned for; 0: not staged */
    int panel;               /* columns of x that fit into shared memory */
    int slots;               /* that a block may have */
    int64_t blocks, panels;  /* not 0; small blocks until they are joined */
    int64_t far;             /* groups in all */
    staged_block *block;     /* [blocks + 1] */
    uint16_t *slot;          /* [nnz], of each entry; only while planning */
    int32_t *near_col;       /* [near groups, GROUP], columns */
    int32_t *first_of_panel; /* [panels * blocks + 1], far groups, by panel and then by block */
    uint16_t *code;          /* [far, GROUP], columns within the panel, by panel */
    int32_t *place;          /* [far], of each such group among the groups of all blocks */
    void *gathered;          /* [far, GROUP], elements of x, by block */

    /* See csr_staged_slices.cu. */
    int32_t *piece_row, *piece_tile; /* [pieces of merge], numbers of their long rows and tiles */
    int64_t slices;
    int32_t *slice_ptr;   /* [slices + 1], steps */
    int32_t *slice_row;   /* [slices, WARP], -1 for none, or -2 - number of a piece */
    uint16_t *slice_slot; /* [steps, WARP]; padding is slot number `slots`, which holds 0 */
    unsigned *empty_row;  /* [rows / WARP + 1], a bit for each row without entries */
    void *slice_val;      /* [steps, WARP] */
};

/* Do rows have so many entries in each panel that they are cut into parts?  If so, those: arrays on
 * the device, to be freed also after an error; csr_staged_split.cu. */
bool staged_splits(const staged_plan *plan, const spmv_csr *A);
spmv_status staged_split(spmv_csr *parts, staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A,
                         spmv_error *err);

/* Join neighbouring blocks: csr_staged_join.cu. */
spmv_status staged_join(staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A, spmv_error *err);

/* Near and far slots of the blocks: csr_staged_slots.cu. */
spmv_status staged_slots_create(staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A,
                                spmv_error *err);

/* Slices of the blocks: csr_staged_slices.cu. */
spmv_status staged_slices_create(staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A,
                                 spmv_error *err);

spmv_status staged_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                               const spmv_config *config, spmv_error *err);
void staged_plan_destroy(void *plan);

/* ---- What the planning shares ---------------------------------------------------------------- */

/* The first of n numbers for which before(number) is not true; they are ordered so. */
template <class F>
__device__ inline int64_t first_not(int64_t n, F before)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last of n numbers for which is(number) is true, as it is for those before. */
template <class F>
__device__ inline int64_t last_with(int64_t n, F is)
{
    return first_not(n, is) - 1;
}

/* Bits that hold n. */
inline int bits_of(int64_t n)
{
    int bits = 1;
    while (n >> bits != 0) bits++;
    return bits;
}

/* Call enqueue with a number of the size of a value. */
template <class F>
inline void by_size(spmv_type type, F enqueue)
{
    const size_t size = spmv_type_size(type);
    if (size <= sizeof(int))
        enqueue(int());
    else
        size == sizeof(int2) ? enqueue(int2()) : enqueue(int4());
}

/* Call a function of CUB, call(scratch, bytes): once to ask how much scratch memory it needs, and
 * once with it.  Waits for the result. */
template <class F>
spmv_status with_scratch(spmv__gpu *gpu, const char *what, spmv_error *err, F call)
{
    size_t bytes = 0;
    void *scratch = NULL;
    spmv_status st;

    SPMV__TRY(check(call(scratch, bytes), SPMV_ERROR_KERNEL_LAUNCH, what, err));
    SPMV__TRY(spmv__gpu_alloc(&scratch, (int64_t)bytes, what, err));
    SPMV__TRY(check(call(scratch, bytes), SPMV_ERROR_KERNEL_LAUNCH, what, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
done:
    spmv__gpu_free(scratch);
    return st;
}

/* n numbers and one more become what came before each of them; returns the sum of all. */
inline spmv_status add_up(int32_t *of, int64_t n, spmv__gpu *gpu, int32_t *sum, spmv_error *err)
{
    const spmv_status st =
        with_scratch(gpu, "adding up a plan", err, [&](void *scratch, size_t &bytes) {
            return cub::DeviceScan::ExclusiveSum(scratch, bytes, of, of, (int)n + 1,
                                                 (cudaStream_t)spmv__gpu_stream(gpu));
        });
    return st == SPMV_SUCCESS ? spmv__gpu_download(gpu, sum, of + n, sizeof *sum, err) : st;
}

} // namespace spmv

#endif
