/* csr_sweep.cuh -- how csr-sweep lays out a matrix: what its plan makes and its kernel reads.
 *
 * A block has a range of entries, which may begin and end within a row, and a sum in shared memory,
 * its slot, for each of its rows that are not empty.  It adds up its entries batch by batch, each
 * thread one of a batch, in about the order of their columns.  The entries of a batch never meet in
 * a slot: a row that has several in some batch has as many slots, of which all but the first are
 * called extra. */
#pragma once

#include "cuda/kernels/csr_merge/csr_merge.cuh"
#include "cuda/device/plan.cuh"

namespace spmv
{

constexpr int SWEEP_GROUP = 4;         /* batches whose entries a thread loads together */
constexpr int SWEEP_CHUNK = 16;        /* bytes of values that a thread loads at once */
constexpr int SWEEP_PAGE = 1 << 16;    /* columns that 2 bytes tell apart */
constexpr int SWEEP_NONE = UINT16_MAX; /* the slot of a place without an entry */

/* A block goes up to the next one. */
struct sweep_block {
    int64_t entry, row;  /* the first of each; the row begins before where first_block says so */
    int32_t number;      /* of the first row that is not empty, among all of the matrix */
    int32_t group;       /* the first one */
    int32_t first_block; /* in which the first row begins */
};

/* Returns how many rows that are not empty block b has entries of, and where its part of plan.extra
 * begins; `to` is the next block. */
__device__ inline int sweep_numbers(const sweep_block &from, const sweep_block &to, int64_t b)
{
    const bool shares_last = to.first_block <= b && to.entry > from.entry;
    return to.number - from.number + shares_last;
}
__device__ inline int64_t sweep_extra(const sweep_block &from, int64_t b)
{
    return from.number + 2 * b;
}

/* Which of 32 rows are not empty, or which of 32 entries are the last of their row, and how many
 * such there are before. */
struct sweep_marks {
    uint32_t marked;
    int32_t before;

    __device__ bool has(int i) const { return (marked >> i & 1) != 0; }
    /* Returns how many there are before number i of the 32. */
    __device__ int32_t count(int i) const { return before + __popc(marked & ((1u << i) - 1)); }
};

/* Pointers into device memory; offsets of entries are int32_t.  A group holds, for each thread, its
 * entries of SWEEP_GROUP batches. */
struct sweep_plan {
    merge_plan *merge; /* on the host, for what is not planned for */
    arena *kept;       /* on the host; owns the arrays below */
    int sum_size;      /* bytes of the sums that were planned for; 0: there is nothing to sweep */
    int threads;       /* of a block */
    int slots;         /* of a block, at most */
    int window;        /* batches over which neighbours are spread */
    int64_t blocks, groups;
    sweep_block *block;  /* [blocks + 1] */
    sweep_marks *rows;   /* [rows / WARP + 1] */
    merge_long_row *cut; /* [blocks], the last row of each; of one piece where it is whole */
    void *pieces;        /* [2 * blocks], sums of rows that are cut, with room for complex ones */
    uint16_t *extra;     /* of each block, for each of its numbers: the first extra slot; then their
                            end.  See sweep_extra */
    uint32_t *word;      /* [groups, threads, SWEEP_GROUP], slot and column within its page */
    int32_t *page;       /* [groups, warps, SWEEP_GROUP], the first column of the page */
    void *val;           /* [groups, chunks of SWEEP_GROUP values, threads] */
};

spmv_status sweep_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                              const spmv_kernel_options *options, spmv_error *err);
void sweep_plan_destroy(void *plan);

/* Returns the bytes of a sum of products with such vectors. */
inline int sweep_sum_size(spmv_type vectors)
{
    return (int)(spmv_type_is_complex(vectors) ? sizeof(c128) : sizeof(double));
}

/* Returns the values of a chunk. */
template <class V>
__host__ __device__ constexpr int sweep_values()
{
    return SWEEP_CHUNK / (int)sizeof(V) < SWEEP_GROUP ? SWEEP_CHUNK / (int)sizeof(V) : SWEEP_GROUP;
}

/* Which of the numbers of a block a place has, and its rank among those of the batch. */
struct sweep_rank {
    uint16_t number, rank;
};

/* What a warp has of a batch: entries that follow each other in their order; none where it is
 * empty. */
struct sweep_chunk {
    int32_t first, count;
};

/* While planning: the entries in their order, by blocks and columns, and their places: a thread of
 * a batch each. */
struct sweep_entries {
    const int32_t *row_ptr, *col_idx;
    int64_t nnz, places;
    sweep_marks *ends;    /* [nnz / WARP + 1] */
    const int32_t *order; /* [nnz] */
    const unsigned *key;  /* [nnz], in their order: their blocks and columns without low bits */
    int column_bits, low_bits;
    sweep_chunk *chunk; /* [places / WARP] */
    sweep_rank *ranked; /* [places] */
    int32_t *extras;    /* [rows that are not empty + blocks + 1], extra slots, then those before */
};

/* Returns the number of the row that entry e belongs to, among those that are not empty. */
__device__ inline int32_t sweep_number(const sweep_entries &of, int64_t e)
{
    return of.ends[e / WARP].count((int)(e % WARP));
}

/* Puts the entries in order, fills places and sets the groups of the blocks: sweep_order.cu.
 * plan->groups is 0 where most places, or most pages of the blocks, would be empty. */
spmv_status sweep_order(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                        int64_t cols, spmv_error *err);

/* Finds the slots that rows need, and how many the fullest block has: sweep_slots.cu. */
spmv_status sweep_slots(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                        int32_t numbers, int32_t *most, spmv_error *err);

/* Writes words, pages and values. */
spmv_status sweep_write(sweep_plan *plan, const sweep_entries *of, spmv__gpu *gpu,
                        const spmv_csr *A, spmv_error *err);

} // namespace spmv
