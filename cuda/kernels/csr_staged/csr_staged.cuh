/* csr_staged.cuh -- how csr-staged brings x into shared memory: what its plan makes and its kernels
 * read.
 *
 * The tiles of csr-merge are taken together into blocks, as long as all of x that a block
 * multiplies with fits into the shared memory of one multiprocessor.  There it lies in slots,
 * one for each column that the block wants, in groups of 8.  A group whose columns are neighbours
 * is near: the block loads it from x.  The others are far: before, a pass over x, panel by panel,
 * takes them from shared memory and leaves them together, where the block finds them.  Values and
 * slots of a block lie in slices. */
#pragma once

#include "cuda/kernels/csr_merge/csr_merge.cuh"
#include "cuda/device/plan.cuh"

namespace spmv
{

constexpr int GROUP = 8;                          /* slots whose columns lie in one panel */
constexpr int STAGED_STEPS = 24;                  /* entries of a lane, at most */
constexpr int STAGED_PIECE = STAGED_STEPS * WARP; /* of a piece of a long row */

/* A block of tiles goes up to the next one; its slots are the near groups, then the far ones. */
struct staged_block {
    int64_t entry, row, piece, slice, near, far; /* the first of each */
    int64_t hubs;                                /* near groups of hubs, its first ones */
    unsigned long long empty;                    /* rows without entries, about */
};

/* Pointers into device memory; offsets of entries are int32_t. */
struct staged_plan {
    merge_plan *merge;               /* on the host */
    arena *kept;                     /* on the host; owns the arrays below but for those of merge */
    const merge_tile<int32_t> *tile; /* [tiles + 1] of merge */
    merge_long_row *long_row;        /* of merge */
    int64_t tiles, pieces;
    int64_t least_blocks, at_once; /* as many at least; on all multiprocessors */
    int entries;                   /* of a small block, before the tile that goes beyond */
    int x_size;              /* bytes of an element of x that were planned for; 0: not staged */
    int panel;               /* columns of x that fit into shared memory */
    int slots;               /* that a block may have */
    int64_t blocks, panels;  /* not 0; small blocks until they are joined */
    int64_t far;             /* groups in all */
    int64_t hubs;            /* columns that many blocks want; they have the first numbers, */
    int64_t hub_numbers;     /* as many as whole panels, and then come the columns of x */
    int32_t *hub;            /* [hubs], columns */
    void *hub_x;             /* [hubs], their elements of x */
    staged_block *block;     /* [blocks + 1] */
    uint16_t *rank;          /* [nnz], of each entry's column in its block; while planning */
    uint16_t *slot;          /* [nnz], of the columns, as staged_columns has them; so, too */
    int32_t *near_first;     /* [near groups], first columns, or numbers of hubs */
    uint8_t *near_offset;    /* [near groups, GROUP], columns behind that */
    int32_t *first_of_panel; /* [panels * blocks + 1], far groups, by panel and then by block */
    uint16_t *code;          /* [far, GROUP], columns within the panel, by panel */
    int32_t *place;          /* [far], of each such group among the groups of all blocks */
    void *gathered;          /* [far, GROUP], elements of x, by block */

    /* See staged_slices.cu. */
    int32_t *piece_row, *piece_tile; /* [pieces], numbers of their long rows and tiles */
    void *sums;                      /* [pieces], with room for complex ones */
    int64_t slices;
    int32_t *slice_ptr;   /* [slices + 1], steps */
    int32_t *slice_row;   /* [slices, WARP], -1 for none, or -2 - number of a piece */
    uint16_t *slice_slot; /* [steps, WARP]; padding is slot number `slots`, which holds 0 */
    unsigned *empty_row;  /* [rows / WARP + 1], a bit for each row without entries */
    void *slice_val;      /* [steps, WARP] */
};

/* Small blocks, and what is known of the columns that they want: staged_join.cu. */
struct staged_wants;
struct staged_parts {
    int64_t n;
    staged_block *block; /* [n + 1] */
    staged_wants *wants; /* [n], counted in a sample of all columns */
};
spmv_status staged_parts_create(staged_parts *out, const staged_plan *plan, spmv__gpu *gpu,
                                arena *room, const spmv_csr *A, spmv_error *err);
void staged_parts_destroy(staged_parts *parts);

/* Neighbouring small blocks become one, which has enough slots if the sample is right. */
spmv_status staged_join(staged_plan *plan, spmv__gpu *gpu, const staged_parts *parts,
                        spmv_error *err);

/* The columns of each block, ascending, on the device. */
struct staged_columns {
    int32_t *column; /* [nnz], from the block's first entry on */
    int32_t *first;  /* [blocks * (panels + 1)], that of each panel, by block; then their end */
    int32_t *most;   /* groups of a block */
};

/* Fill that, and plan->rank: staged_columns.cu.  Blocks with more columns than a rank can say
 * are counted all the same. */
spmv_status staged_columns_list(const staged_columns *of, const staged_plan *plan, spmv__gpu *gpu,
                                const spmv_csr *A, int32_t *most, spmv_error *err);

/* Chooses hubs, and with them changes A to a copy whose columns are numbers, in `room`:
 * staged_hubs.cu. */
spmv_status staged_hubs_create(staged_plan *plan, spmv__gpu *gpu, arena *room, spmv_csr *A,
                               spmv_error *err);

/* Near and far slots of the blocks: staged_slots.cu. */
spmv_status staged_slots_create(staged_plan *plan, spmv__gpu *gpu, arena *room,
                                const staged_columns *of, spmv_error *err);

/* Slices of the blocks: staged_slices.cu. */
spmv_status staged_slices_create(staged_plan *plan, spmv__gpu *gpu, arena *room, const spmv_csr *A,
                                 spmv_error *err);

spmv_status staged_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                               const spmv_kernel_options *options, spmv_error *err);
void staged_plan_destroy(void *plan);

} // namespace spmv
