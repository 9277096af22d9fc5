/* staged_join.cu -- which neighbouring blocks of csr-staged become one.
 *
 * A matrix is cut into small blocks first.  How far back the last block is that wants a column too
 * tells which columns neighbouring blocks want: of each block those whose last one lies before the
 * first.  So it can be seen without trying how many blocks fit into the slots together.  A sample
 * of the columns is enough for that; whether blocks fit is seen when their columns are listed. */
#include "cuda/kernels/csr_staged/csr_staged.cuh"
#include "cuda/device/key_values.cuh"

#include <climits>
#include <cmath>
#include <cstdlib>

using namespace spmv;

namespace
{

constexpr int REACH = 32; /* blocks; what lies farther back counts as not there */

} // namespace

/* Columns of one small block whose last block lies i or more before it. */
struct spmv::staged_wants {
    uint16_t at[REACH];
};

namespace
{

constexpr char JOIN[] = "joining the blocks of csr-staged";
constexpr int BLOCK = 256;
constexpr int SAMPLE_BITS = 2; /* one column in 4 is looked at */
constexpr int EVEN_ROUNDS = 4; /* from which on a large block delays no other much */

/* ---- The sample ------------------------------------------------------------------------------ */

/* The entries that are looked at, on the device: their columns, mixed, and small blocks. */
struct join_sample {
    key_values entry;
    int32_t *before; /* [blocks + 1], entries before each block */
    unsigned mask;   /* bits of a column */
    int bits;        /* of one that is looked at, mixed */
};

/* Columns in an order as if by chance; the first ones in it are looked at. */
__device__ inline unsigned mixed(const join_sample &of, int32_t col)
{
    return (unsigned)col * 0x9e3779b1u & of.mask;
}

/* Calls f(mixed column, whether it is looked at) in all lanes of a block of threads for each small
 * block. */
template <class F>
__device__ inline void for_entries(const staged_plan &plan, const join_sample &of,
                                   const int32_t *__restrict__ col_idx, F f)
{
    const int64_t end = plan.block[blockIdx.x + 1].entry;
    for (int64_t p = plan.block[blockIdx.x].entry + threadIdx.x; p - lane_id() < end;
         p += blockDim.x) {
        const unsigned col = p < end ? mixed(of, col_idx[p]) : UINT_MAX;
        f(col, col >> of.bits == 0);
    }
}

__global__ void count_sample(staged_plan plan, join_sample of, const int32_t *__restrict__ col_idx)
{
    __shared__ int all;
    int mine = 0;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    for_entries(plan, of, col_idx, [&](unsigned, bool taken) { mine += taken; });
    atomicAdd(&all, mine);
    __syncthreads();
    if (threadIdx.x == 0) of.before[blockIdx.x] = all;
}
__global__ void take_sample(staged_plan plan, join_sample of, const int32_t *__restrict__ col_idx)
{
    __shared__ int next;
    if (threadIdx.x == 0) next = of.before[blockIdx.x];
    __syncthreads();
    for_entries(plan, of, col_idx, [&](unsigned col, bool taken) {
        const unsigned all = __ballot_sync(ALL_LANES, taken);
        int place = lane_id() == 0 && all != 0 ? atomicAdd(&next, __popc(all)) : 0;
        place = __shfl_sync(ALL_LANES, place, 0) + __popc(all & ((1u << lane_id()) - 1));
        if (!taken) return;
        of.entry.key[place] = col;
        of.entry.value[place] = (int32_t)blockIdx.x;
    });
}

spmv_status take(join_sample *of, const staged_plan *plan, spmv__gpu *gpu, arena *room,
                 const spmv_csr *A, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int bits = bits_of(A->cols);
    int32_t n = 0;
    spmv_status st;

    of->mask = UINT_MAX >> (32 - bits);
    of->bits = max(bits - SAMPLE_BITS, 1);
    SPMV__TRY(arena_take(room, &of->before, plan->blocks + 1, JOIN, err));
    launch_kernel(count_sample, (unsigned)plan->blocks, BLOCK, 0, stream, *plan, *of, A->col_idx);
    SPMV__TRY(exclusive_sum(of->before, plan->blocks, gpu, room, &n, err));
    SPMV__TRY(key_values_take(&of->entry, n, room, JOIN, err));
    launch_kernel(take_sample, (unsigned)plan->blocks, BLOCK, 0, stream, *plan, *of, A->col_idx);
    SPMV__TRY(check_launch(JOIN, err));
    st = key_values_sort(&of->entry, of->bits, gpu, room, JOIN, err);
done:
    return st;
}

/* Count the columns of each block by how far back their last one is, at most REACH - 1. */
__global__ void count_wants(join_sample of, int32_t *counted)
{
    const int64_t i = global_thread();
    if (i >= of.entry.n) return;
    const bool before = i > 0 && of.entry.key[i] == of.entry.key[i - 1];
    const int32_t block = of.entry.value[i], back = before ? block - of.entry.value[i - 1] : REACH;
    if (back > 0) atomicAdd(counted + block * (int64_t)REACH + min(back, REACH - 1), 1);
}

/* Extends the sample to all columns; from here on each counts what lies farther back, too. */
__global__ void extend(int64_t blocks, const int32_t *counted, staged_wants *of_block)
{
    const int64_t b = global_thread();
    if (b >= blocks) return;
    int32_t all = 0;
    for (int i = REACH - 1; i >= 0; i--) {
        all += counted[b * REACH + i] << SAMPLE_BITS;
        of_block[b].at[i] = (uint16_t)min(all, UINT16_MAX);
    }
}

spmv_status count(staged_parts *out, const join_sample *of, spmv__gpu *gpu, arena *room,
                  spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    staged_wants *on_device = NULL;
    int32_t *counted = NULL;
    spmv_status st;

    SPMV__TRY(arena_take(room, &on_device, out->n, JOIN, err));
    SPMV__TRY(arena_take(room, &counted, out->n * REACH, JOIN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, counted, out->n * REACH * (int64_t)sizeof *counted, err));
    if (of->entry.n > 0)
        launch_kernel(count_wants, blocks_for(of->entry.n, BLOCK), BLOCK, 0, stream, *of, counted);
    launch_kernel(extend, blocks_for(out->n, BLOCK), BLOCK, 0, stream, out->n, counted, on_device);
    SPMV__TRY(check_launch(JOIN, err));
    st = spmv__gpu_download(gpu, out->wants, on_device, out->n * (int64_t)sizeof *on_device, err);
done:
    return st;
}

/* ---- Joined blocks --------------------------------------------------------------------------- */

/* The number of blocks that small ones make, and what they cost in all: entries and columns. */
struct joined_blocks {
    int64_t n, cost;
};

/* Joins small blocks to blocks of about `room` columns at most, and that cost `limit` at most.  The
 * first small block of each goes to `to`, unless that is NULL. */
joined_blocks join_neighbours(staged_block *to, const staged_parts *parts, int64_t room,
                              int64_t limit)
{
    const staged_block *block = parts->block;
    int64_t first = 0, columns = 0;
    joined_blocks all = {0, block[parts->n].entry};
    for (int64_t b = 0; b < parts->n; b++) {
        const uint16_t *wants = parts->wants[b].at;
        const int64_t more = wants[min(b - first + 1, (int64_t)REACH - 1)];
        columns += more;
        if (b == 0 || columns > room || block[b + 1].entry - block[first].entry + columns > limit) {
            if (to != NULL) to[all.n] = block[b];
            all.n++;
            first = b;
            columns = wants[1];
        }
        all.cost += b == first ? columns : more;
    }
    return all;
}

/* Returns about the least limit with which there are at most n blocks, which cost about `cost` in
 * all. */
int64_t choose_limit(const staged_parts *parts, int64_t room, int64_t n, int64_t cost)
{
    const auto count = [&](int64_t limit) { return join_neighbours(NULL, parts, room, limit).n; };
    int64_t low = cost / n, more = low / 16 + 1, high = low + more;
    while (count(high) > n) {
        low = high;
        high += more *= 2;
    }
    while (low < high - high / 256) {
        const int64_t middle = (low + high) / 2;
        if (count(middle) > n)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

/* Columns for which there are most likely slots, three standard deviations being left free.  In the
 * mean a panel leaves half of a group free, with a variance of a twelfth of its square; a sample of
 * one column in n has one of n - 1 for each column. */
int64_t room_for_columns(const staged_plan *plan)
{
    const double panels = (double)plan->panels, slots = (double)plan->slots;
    const double variance = ((1 << SAMPLE_BITS) - 1) * slots + panels * GROUP * GROUP / 12;
    return (int64_t)(slots - panels * GROUP / 2 - 3 * sqrt(variance));
}

/* Chooses the neighbours that become a block: as few blocks as can be, in full rounds of all
 * multiprocessors.  Where little room for some makes others a quarter larger than the mean, another
 * round evens that out. */
int64_t choose_blocks(staged_block *to, const staged_plan *plan, const staged_parts *parts)
{
    const int64_t room = room_for_columns(plan), at_once = plan->at_once;
    const joined_blocks fewest = join_neighbours(NULL, parts, room, INT64_MAX);
    int64_t n = max(fewest.n, plan->least_blocks);
    if (n > at_once) n = (n + at_once - 1) / at_once * at_once;
    for (;; n += at_once) {
        const int64_t limit = choose_limit(parts, room, n, fewest.cost);
        const joined_blocks all = join_neighbours(to, parts, room, limit);
        if (n < at_once || n >= EVEN_ROUNDS * at_once || limit * 4 <= all.cost / n * 5)
            return all.n;
    }
}

} // namespace

spmv_status spmv::staged_parts_create(staged_parts *out, const staged_plan *plan, spmv__gpu *gpu,
                                      arena *room, const spmv_csr *A, spmv_error *err)
{
    const int64_t n = plan->blocks;
    join_sample of = {};
    spmv_status st;

    out->n = n;
    SPMV__TRY(spmv__alloc(&out->block, n + 1, sizeof *out->block, JOIN, err));
    SPMV__TRY(spmv__alloc(&out->wants, n, sizeof *out->wants, JOIN, err));
    SPMV__TRY(spmv__gpu_download(gpu, out->block, plan->block,
                                 (n + 1) * (int64_t)sizeof *out->block, err));
    SPMV__TRY(take(&of, plan, gpu, room, A, err));
    st = count(out, &of, gpu, room, err);
done:
    return st;
}

void spmv::staged_parts_destroy(staged_parts *parts)
{
    free(parts->block);
    free(parts->wants);
}

spmv_status spmv::staged_join(staged_plan *plan, spmv__gpu *gpu, const staged_parts *parts,
                              spmv_error *err)
{
    staged_block *joined = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&joined, parts->n + 1, sizeof *joined, JOIN, err));
    plan->blocks = choose_blocks(joined, plan, parts);
    joined[plan->blocks] = parts->block[parts->n];
    st = spmv__gpu_upload(gpu, plan->block, joined, (plan->blocks + 1) * (int64_t)sizeof *joined,
                          err);
done:
    free(joined);
    return st;
}
