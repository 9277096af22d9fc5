/* staged_slices.cu -- which lanes multiply the rows of a block of csr-staged.
 *
 * A strand is a row, or a piece of a long one.  Those of a block are sorted by length, and each
 * gets as many lanes, a power of two, that none has more than STEPS of its entries.  32 lanes are a
 * slice as in SELL: step k of lane i lies WARP * k + i behind its beginning.  Block b begins with
 * slice lane / WARP + b, where so many lanes come before it: room for all of its lanes, and no
 * slice that two blocks share, without counting slices. */
#include "cuda/kernels/csr_staged/csr_staged.cuh"
#include "cuda/device/key_values.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the slices of csr-staged";
constexpr int BLOCK = 256;
constexpr int AHEAD = 4; /* steps that are loaded at once */
constexpr int STEPS = STAGED_STEPS;
constexpr int LENGTH_BITS = 11;                    /* of a key, below the number of the block */
constexpr unsigned NONE = (1u << LENGTH_BITS) - 1; /* in place of it for rows in pieces */
constexpr unsigned LONGEST = STEPS * WARP;         /* that 32 lanes can have */
static_assert(MERGE_ROOM < LONGEST && LONGEST < NONE);

/* Strands on the device, in the order of blocks and then of falling lengths; those of a block are
 * as many as its rows and pieces. */
struct strands {
    int64_t n;           /* rows, then pieces */
    const unsigned *key; /* [n] */
    const int32_t *id;   /* [n], number of a row, or rows + number of a piece */
    int32_t *lane;       /* [n + 1], lanes before it */
    int32_t *first;      /* [slices], the strand with which a slice begins that has any */
};

/* Returns the block in which row r begins. */
__device__ inline int64_t block_of_row(const staged_plan &plan, int64_t r)
{
    return last_where(plan.blocks, [&](int64_t k) { return plan.block[k].row <= r; });
}

/* Whole rows have their lengths in their keys; which rows are in pieces is seen in the tiles, by
 * exclude_rows_in_pieces. */
__global__ void make_keys(int64_t rows, staged_plan plan, const int32_t *__restrict__ row_ptr,
                          key_values to)
{
    const int64_t i = global_thread();
    if (i >= to.n) return;
    int64_t b;
    unsigned low = 0;
    if (i < rows) {
        const int32_t length = row_ptr[i + 1] - row_ptr[i];
        b = block_of_row(plan, i);
        low = length <= MERGE_ROOM ? LONGEST - (unsigned)length : NONE;
    } else {
        b = last_where(plan.blocks, [&](int64_t k) { return plan.block[k].piece <= i - rows; });
    }
    to.key[i] = (unsigned)b << LENGTH_BITS | low;
    to.value[i] = (int32_t)i;
}

/* A row in pieces has no lanes of its own: its first piece speaks for it. */
__global__ void exclude_rows_in_pieces(staged_plan plan, key_values of)
{
    const int64_t i = global_thread();
    if (i >= plan.pieces) return;
    const merge_long_row &row = plan.long_row[plan.piece_row[i]];
    if (row.piece == i) of.key[row.row] |= NONE;
}

/* A bit for each row without entries, which needs no lanes.  Those of 32 rows count where the first
 * one is. */
__global__ void find_empty_rows(int64_t rows, staged_plan plan, const int32_t *__restrict__ row_ptr)
{
    const int64_t r = global_thread();
    const unsigned bits = __ballot_sync(ALL_LANES, r < rows && row_ptr[r] == row_ptr[r + 1]);
    if (lane_id() != 0 || r >= rows) return;
    plan.empty_row[r / WARP] = bits;
    if (bits != 0)
        atomicAdd(&plan.block[block_of_row(plan, r)].empty, (unsigned long long)__popc(bits));
}

/* Returns the number of lanes of a strand: those of a piece are a whole warp. */
__device__ inline int lanes_of(unsigned key)
{
    const unsigned low = key & NONE;
    int lanes = 1;
    if (low >= LONGEST) return 0;
    while (lanes * STEPS < (int)(LONGEST - low)) lanes *= 2;
    return lanes;
}

__global__ void count_lanes(strands of)
{
    const int64_t i = global_thread();
    if (i <= of.n) of.lane[i] = i < of.n ? lanes_of(of.key[i]) : 0;
}

/* Finds the first slice of each block. */
__global__ void find_slices(staged_plan plan, strands of)
{
    const int64_t b = global_thread();
    if (b > plan.blocks) return;
    staged_block &mine = plan.block[b];
    mine.slice = of.lane[mine.row + mine.piece] / WARP + b;
}

/* Returns the number of entries of strand i. */
__device__ inline int length_of(int64_t rows, const staged_plan &plan, const strands &of, int64_t i)
{
    const int32_t id = of.id[i];
    if (id < rows) return (int)(LONGEST - (of.key[i] & NONE));
    const merge_tile<int32_t> *tile = plan.tile + plan.piece_tile[id - rows];
    return tile[1].p - tile[0].p;
}

/* slice_ptr: the steps of each slice, 0 before; and of.first.  The strands of a block have ever
 * fewer lanes, and of those with as many the first one is the longest: it counts for those behind
 * it in its slice. */
__global__ void count_steps(int64_t rows, staged_plan plan, strands of)
{
    const int64_t i = global_thread();
    if (i >= of.n) return;
    const int lanes = lanes_of(of.key[i]);
    if (lanes == 0) return;
    const staged_block block = plan.block[of.key[i] >> LENGTH_BITS];
    const int32_t lane = of.lane[i] - of.lane[block.row + block.piece];
    const int64_t s = block.slice + lane / WARP;
    if (lane % WARP == 0)
        of.first[s] = (int32_t)i;
    else if (lanes_of(of.key[i - 1]) == lanes)
        return;
    atomicMax(plan.slice_ptr + s, (length_of(rows, plan, of, i) + lanes - 1) / lanes);
}

/* A lane of a slice multiplies entries p, p + stride, .. before end of a row, or of piece
 * ~row - 1.  The slots of the block's columns begin with number `slot`. */
struct lane_task {
    int32_t row, p, end, stride;
    int64_t slot;
};

/* Returns the task of this lane of slice s; row is -1 where it has nothing.  Whole warps call it:
 * the strands of a slice follow one another, each with a lane or more, as long as there are any. */
__device__ inline lane_task task_of(int64_t rows, const staged_plan &plan, const strands &of,
                                    const int32_t *row_ptr, int64_t s)
{
    if (plan.slice_ptr[s] == plan.slice_ptr[s + 1]) return {-1, 0, 0, 1, 0};
    int64_t i = of.first[s];
    const staged_block *block = plan.block + (of.key[i] >> LENGTH_BITS);
    const int64_t end = block[1].row + block[1].piece;
    const int32_t before = of.lane[i];
    const int32_t start = i + lane_id() < end ? of.lane[i + lane_id()] - before : WARP;
    int32_t j = 0;
    int ahead = 0;
    for (int more = WARP / 2; more > 0; more /= 2) {
        const int32_t other = __shfl_sync(ALL_LANES, start, ahead + more);
        if (other > lane_id()) continue;
        ahead += more;
        j = other;
    }
    if (before + lane_id() >= of.lane[end]) return {-1, 0, 0, 1, 0};
    i += ahead;
    j = lane_id() - j;
    const int32_t id = of.id[i];
    if (id < rows) return {id, row_ptr[id] + j, row_ptr[id + 1], lanes_of(of.key[i]), block->entry};
    const merge_tile<int32_t> *tile = plan.tile + plan.piece_tile[id - rows];
    return {~(int32_t)(id - rows + 1), tile[0].p + j, tile[1].p, WARP, block->entry};
}

/* Fills the rest of the slices, one warp for each; V has the size of a value. */
template <class V>
__global__ void fill_slices(int64_t rows, staged_plan plan, strands of,
                            const int32_t *__restrict__ row_ptr, const V *__restrict__ val)
{
    const int lane = lane_id();
    const int64_t s = global_thread() / WARP;
    if (s >= plan.slices) return;
    lane_task mine = task_of(rows, plan, of, row_ptr, s);
    const int64_t end = plan.slice_ptr[s + 1];
    plan.slice_row[s * WARP + lane] = mine.row;
    for (int64_t k = plan.slice_ptr[s]; k < end; k += AHEAD, mine.p += AHEAD * mine.stride) {
        int64_t at[AHEAD];
        uint16_t slot[AHEAD];
        V value[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const int32_t p = mine.p + u * mine.stride;
            at[u] = p < mine.end ? mine.slot + plan.rank[p] : -1;
            value[u] = val != nullptr && p < mine.end ? val[p] : V();
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            slot[u] = at[u] >= 0 ? plan.slot[at[u]] : (uint16_t)plan.slots;
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            if (k + u >= end) break;
            plan.slice_slot[(k + u) * WARP + lane] = slot[u];
            if (val != nullptr) ((V *)plan.slice_val)[(k + u) * WARP + lane] = value[u];
        }
    }
}

spmv_status sort_strands(key_values *out, spmv__gpu *gpu, arena *room, const spmv_csr *A,
                         const staged_plan *plan, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t n = A->rows + plan->pieces;
    spmv_status st;

    SPMV__TRY(key_values_take(out, n, room, PLAN, err));
    launch_kernel(make_keys, blocks_for(n, BLOCK), BLOCK, 0, stream, A->rows, *plan,
                  (const int32_t *)A->row_ptr, *out);
    if (plan->pieces > 0)
        launch_kernel(exclude_rows_in_pieces, blocks_for(plan->pieces, BLOCK), BLOCK, 0, stream,
                      *plan, *out);
    SPMV__TRY(check_launch(PLAN, err));
    st = key_values_sort(out, LENGTH_BITS + bits_of(plan->blocks), gpu, room, PLAN, err);
done:
    return st;
}

} // namespace

spmv_status spmv::staged_slices_create(staged_plan *plan, spmv__gpu *gpu, arena *room,
                                       const spmv_csr *A, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int32_t *row_ptr = (const int32_t *)A->row_ptr;
    const int64_t size = A->val != NULL ? (int64_t)spmv_type_size(A->type) : 0;
    int32_t lanes = 0, steps = 0;
    key_values sorted = {};
    strands of;
    spmv_status st;

    launch_kernel(find_empty_rows, blocks_for(A->rows, BLOCK), BLOCK, 0, stream, A->rows, *plan,
                  row_ptr);
    SPMV__TRY(sort_strands(&sorted, gpu, room, A, plan, err));
    of = {sorted.n, sorted.key, sorted.value, sorted.spare_value, NULL};
    launch_kernel(count_lanes, blocks_for(of.n + 1, BLOCK), BLOCK, 0, stream, of);
    SPMV__TRY(exclusive_sum(of.lane, of.n, gpu, room, &lanes, err));
    launch_kernel(find_slices, blocks_for(plan->blocks + 1, BLOCK), BLOCK, 0, stream, *plan, of);

    plan->slices = lanes / WARP + plan->blocks;
    arena_expect(plan->kept, 1, (plan->slices + 1) * (int64_t)sizeof *plan->slice_ptr);
    SPMV__TRY(arena_take(plan->kept, &plan->slice_ptr, plan->slices + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &of.first, plan->slices, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, plan->slice_ptr,
                              (plan->slices + 1) * (int64_t)sizeof *plan->slice_ptr, err));
    launch_kernel(count_steps, blocks_for(of.n, BLOCK), BLOCK, 0, stream, A->rows, *plan, of);
    SPMV__TRY(exclusive_sum(plan->slice_ptr, plan->slices, gpu, room, &steps, err));
    arena_expect(plan->kept, 3,
                 WARP * (plan->slices * (int64_t)sizeof *plan->slice_row +
                         steps * (size + (int64_t)sizeof *plan->slice_slot)));
    SPMV__TRY(arena_take(plan->kept, &plan->slice_row, plan->slices * WARP, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->slice_slot, (int64_t)steps * WARP, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, (char **)&plan->slice_val, steps * size * WARP, PLAN, err));
    by_size((int64_t)spmv_type_size(A->type), [&](auto value) {
        using V = decltype(value);
        launch_kernel(fill_slices<V>, blocks_for(plan->slices * WARP, BLOCK), BLOCK, 0, stream,
                      A->rows, *plan, of, row_ptr, (const V *)A->val);
    });
    st = check_launch(PLAN, err);
done:
    return st;
}
