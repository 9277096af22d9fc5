/* sweep_slots.cu -- the slots of csr-sweep: how many each row needs, and what is written with them.
 */
#include "cuda/kernels/csr_sweep/csr_sweep.cuh"
#include "cuda/device/wide_loads.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csr-sweep";
constexpr int BLOCK = 256;
constexpr int SHARES = 8; /* blocks of threads that go over the batches of a block of the plan */
constexpr int32_t NOBODY = -1;
constexpr int BANK = 4; /* bytes of shared memory */

/* A block of the plan, as its extra slots are counted. */
struct block_slots {
    int64_t first;      /* of the extras of its numbers */
    int64_t at;         /* of its part of plan.extra */
    int numbers;        /* of rows that are not empty */
    int64_t begin, end; /* batches */
};
__device__ inline block_slots slots_of(const sweep_plan &plan, int64_t b)
{
    const sweep_block from = plan.block[b], to = plan.block[b + 1];
    return {from.number + b, sweep_extra(from, b), sweep_numbers(from, to, b),
            (int64_t)from.group * SWEEP_GROUP, (int64_t)to.group * SWEEP_GROUP};
}

/* Returns two words in shared memory for each of n numbers: the warps of a batch that have
 * something to say of it, by turns. */
__device__ inline uint32_t *said_of(int turn, int n)
{
    return (uint32_t *)dynamic_shared_pairs + (turn % 2 != 0 ? n : 0);
}

/* Ranks the entries of batches; the most of a row but one is what it has of extra slots.  First
 * come those that are the first of their row in a warp, by warp; then the others, warp after warp,
 * so that slots of neighbouring threads are neighbours.  How many others there are in the warps
 * before is said bit by bit. */
__global__ void __launch_bounds__(1024) rank_entries(sweep_plan plan, sweep_entries of)
{
    __shared__ int bits[3]; /* of all such numbers of a batch, by turns */
    const int64_t b = blockIdx.x / SHARES;
    const block_slots mine = slots_of(plan, b);
    const int32_t first = plan.block[b].number;
    const uint32_t own = 1u << threadIdx.x / WARP, before = own - 1;
    int turn = 0, now = 0;

    if (threadIdx.x < 3) bits[threadIdx.x] = 0;
    for (int i = (int)threadIdx.x; i < 2 * mine.numbers; i += (int)blockDim.x) said_of(0, 0)[i] = 0;
    __syncthreads();
    /* Returns which warps say something of number n. */
    const auto say = [&](int n, bool says) {
        uint32_t *said = said_of(turn++, mine.numbers);
        if (says) atomicOr(&said[n], own);
        __syncthreads();
        const uint32_t warps = n != NOBODY ? said[n] : 0;
        __syncthreads();
        if (says && (warps & before) == 0) said[n] = 0; /* until the turn after the next */
        return warps;
    };
    for (int64_t k = mine.begin + blockIdx.x % SHARES; k < mine.end;
         k += SHARES, now = (now + 1) % 3) {
        const int64_t place = k * blockDim.x + threadIdx.x;
        const sweep_chunk chunk = of.chunk[place / WARP];
        const bool filled = lane_id() < chunk.count;
        const int n = filled ? of.number[of.order[chunk.first + lane_id()]] - first : NOBODY;
        const unsigned same = __match_any_sync(ALL_LANES, (unsigned)n);
        const int within = __popc(same & ((1u << lane_id()) - 1)), others = __popc(same) - 1;
        const bool leads = n != NOBODY && within == 0;

        if (leads && others > 0) atomicOr(&bits[now], others);
        const uint32_t warps = say(n, leads);
        const int all = bits[now];
        if (threadIdx.x == 0) bits[(now + 2) % 3] = 0; /* nobody has them before the next turn */
        int rank = __popc(warps & before);
        if (within > 0) rank = __popc(warps) + within - 1;
        for (int bit = 1; bit <= all; bit *= 2) {
            if ((all & bit) == 0) continue;
            const uint32_t saying = say(n, leads && (others & bit) != 0);
            if (within > 0) rank += bit * __popc(saying & before);
        }
        of.ranked[place] = {(uint16_t)n, (uint16_t)rank};
        if (n == NOBODY || rank == 0 || within < others) continue; /* the last ranks highest */
        if (rank > of.extras[mine.first + n]) atomicMax(&of.extras[mine.first + n], rank);
    }
}

/* Turns the sums before into slots of each block, and finds the fullest one. */
__global__ void place_extras(sweep_plan plan, sweep_entries of, int32_t *most)
{
    const int64_t b = blockIdx.x;
    const block_slots mine = slots_of(plan, b);
    for (int n = (int)threadIdx.x; n <= mine.numbers; n += (int)blockDim.x) {
        const int32_t slot = mine.numbers + of.extras[mine.first + n] - of.extras[mine.first];
        plan.extra[mine.at + n] = (uint16_t)slot;
        if (n == mine.numbers) atomicMax(most, slot);
    }
}

/* The entry of a place, its slot and its column. */
struct sweep_entry {
    int32_t entry, column;
    uint32_t slot;
};

/* Returns the lane that has the entry of this one.  Shared memory serves as many lanes at a time as
 * have words enough for their sums; entries are divided among lanes so that few of these want the
 * same bank. */
__device__ inline int lane_by_bank(const sweep_plan &plan, uint32_t slot)
{
    const int parts = plan.sum_size / BANK, lanes = WARP / parts; /* lanes, banks for their sums */
    const unsigned filled = __ballot_sync(ALL_LANES, slot != SWEEP_NONE);
    unsigned same = filled, mine = filled; /* the bank of this lane's slot, this lane's bank */
    for (int bit = 1; bit < lanes; bit *= 2) {
        const unsigned set = __ballot_sync(ALL_LANES, (slot & bit) != 0);
        same &= (slot & bit) != 0 ? set : ~set;
        mine &= (lane_id() & bit) != 0 ? set : ~set;
    }
    const int count = lane_id() < lanes ? __popc(mine) : 0;
    const int first = __shfl_sync(ALL_LANES, sum_through(count) - count, (int)slot % lanes);
    const int at = slot == SWEEP_NONE ? lane_id() : first + __popc(same & ((1u << lane_id()) - 1));
    return at % parts * lanes + at / parts;
}

/* Writes what a thread of a block loads of a group: words, pages and values. */
template <class V>
__global__ void write_groups(sweep_plan plan, sweep_entries of, const V *__restrict__ val)
{
    constexpr int EACH = sweep_values<V>();
    __shared__ sweep_entry by_bank[BLOCK];
    sweep_entry *own = by_bank + threadIdx.x / WARP * WARP;
    const int64_t i = global_thread();
    if (i >= of.places / SWEEP_GROUP) return;
    const int64_t group = i / plan.threads, thread = i % plan.threads;
    const int64_t b =
        last_where(plan.blocks, [&](int64_t k) { return plan.block[k].group <= group; });
    const int64_t extra = slots_of(plan, b).at;
    wide<uint32_t, SWEEP_GROUP> words;
    wide<int32_t, SWEEP_GROUP> pages;
    wide<V, EACH> values[SWEEP_GROUP / EACH];
#pragma unroll
    for (int u = 0; u < SWEEP_GROUP; u++) {
        const int64_t place = (group * SWEEP_GROUP + u) * plan.threads + thread;
        const sweep_chunk chunk = of.chunk[place / WARP];
        sweep_entry mine = {0, 0, SWEEP_NONE};
        if (lane_id() < chunk.count) {
            const int32_t at = chunk.first + lane_id(), e = of.order[at];
            const sweep_rank row = of.ranked[place];
            mine = {e,
                    of.low_bits > 0 ? of.col_idx[e]
                                    : (int32_t)(of.key[at] & ((1ull << of.column_bits) - 1)),
                    row.rank > 0 ? (uint32_t)plan.extra[extra + row.number] + row.rank - 1
                                 : row.number};
        }
        own[lane_by_bank(plan, mine.slot)] = mine;
        __syncwarp();
        mine = own[lane_id()];
        __syncwarp();
        words.at[u] = mine.slot << 16 | (uint32_t)(mine.column % SWEEP_PAGE);
        pages.at[u] = __shfl_sync(ALL_LANES, mine.column - mine.column % SWEEP_PAGE, 0);
        if constexpr (!std::is_empty_v<V>)
            values[u / EACH].at[u % EACH] = mine.slot != SWEEP_NONE ? val[mine.entry] : V();
    }
    *(wide<uint32_t, SWEEP_GROUP> *)(plan.word + i * SWEEP_GROUP) = words;
    if (lane_id() == 0) *(wide<int32_t, SWEEP_GROUP> *)(plan.page + i / WARP * SWEEP_GROUP) = pages;
    if constexpr (!std::is_empty_v<V>)
#pragma unroll
        for (int k = 0; k < SWEEP_GROUP / EACH; k++)
            ((wide<V, EACH> *)
                 plan.val)[(group * (SWEEP_GROUP / EACH) + k) * plan.threads + thread] = values[k];
}

template <class V>
void write(const sweep_plan *plan, const sweep_entries *of, cudaStream_t stream, const spmv_csr *A)
{
    launch_kernel(write_groups<V>, blocks_for(of->places / SWEEP_GROUP, BLOCK), BLOCK, 0, stream,
                  *plan, *of, (const V *)A->val);
}

} // namespace

spmv_status spmv::sweep_slots(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                              int32_t numbers, int32_t *most, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int64_t n = numbers + plan->blocks;
    const int bytes = *most * 2 * (int)sizeof(uint32_t);
    const unsigned grid = (unsigned)plan->blocks * SHARES;
    int32_t *fullest = NULL;
    spmv_status st;

    SPMV__TRY(arena_take(room, &of->ranked, of->places, PLAN, err));
    SPMV__TRY(arena_take(room, &of->extras, n + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &fullest, 1, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->extra, numbers + 2 * plan->blocks, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, of->extras, n * (int64_t)sizeof *of->extras, err));
    SPMV__TRY(spmv__gpu_clear(gpu, fullest, sizeof *fullest, err));
    SPMV__TRY(allow_shared(rank_entries, bytes, "rows of a block", err));
    launch_kernel(rank_entries, grid, plan->threads, bytes, stream, *plan, *of);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(enqueue_exclusive_sum(of->extras, n, gpu, room, err));
    launch_kernel(place_extras, (unsigned)plan->blocks, BLOCK, 0, stream, *plan, *of, fullest);
    SPMV__TRY(check_launch(PLAN, err));
    st = spmv__gpu_download(gpu, most, fullest, sizeof *most, err);
done:
    return st;
}

spmv_status spmv::sweep_write(sweep_plan *plan, const sweep_entries *of, spmv__gpu *gpu,
                              const spmv_csr *A, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int64_t size = (int64_t)spmv_type_size(A->type);
    spmv_status st;

    arena_expect(plan->kept, 3, of->places * (4 + size) + of->places / WARP * 4);
    SPMV__TRY(arena_take(plan->kept, &plan->word, of->places, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->page, of->places / WARP, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, (char **)&plan->val, of->places * size, PLAN, err));
    if (size == 0)
        write<unit_value>(plan, of, stream, A);
    else
        by_size(size, [&](auto v) { write<decltype(v)>(plan, of, stream, A); });
    st = check_launch(PLAN, err);
done:
    return st;
}
