/* sweep_slots.cu -- the slots of csr-sweep: how many each row needs, and what is written with them.
 */
#include "cuda/kernels/csr_sweep/csr_sweep.cuh"
#include "cuda/device/wide_loads.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csr-sweep";
constexpr int BLOCK = 256;
constexpr int SHARES = 32; /* blocks of threads that go over the batches of a block of the plan */
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

/* Ranks the entries of batches, each by a warp of its own, chunk by chunk; the highest rank of a
 * row is what it has of extra slots.  The warp counts what it has had of each number, in shared
 * memory: neighbours of a row have neighbouring ranks, and slots. */
__global__ void __launch_bounds__(WARP) rank_entries(sweep_plan plan, sweep_entries of)
{
    uint16_t *count = (uint16_t *)dynamic_shared_pairs;
    const int64_t b = blockIdx.x / SHARES;
    const block_slots mine = slots_of(plan, b);
    const int32_t first = plan.block[b].number;
    const int lane = lane_id(), chunks = plan.threads / WARP;

    for (int i = lane; i < mine.numbers; i += WARP) count[i] = 0;
    for (int64_t k = mine.begin + blockIdx.x % SHARES; k < mine.end; k += SHARES) {
        const sweep_chunk own = lane < chunks ? of.chunk[k * chunks + lane] : sweep_chunk{};
        int32_t entry[WARP];
        int number[WARP];
#pragma unroll
        for (int i = 0; i < WARP; i++) {
            const int32_t at = __shfl_sync(ALL_LANES, own.first, i) + lane;
            entry[i] = lane < __shfl_sync(ALL_LANES, own.count, i) ? of.order[at] : NOBODY;
        }
#pragma unroll
        for (int i = 0; i < WARP; i++)
            number[i] = entry[i] != NOBODY ? sweep_number(of, entry[i]) - first : NOBODY;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < WARP; i++) {
            if (i >= chunks) break;
            const int n = number[i];
            const unsigned same = __match_any_sync(ALL_LANES, (unsigned)n);
            const int rank = (n != NOBODY ? count[n] : 0) + __popc(same & ((1u << lane) - 1));
            const bool is_last = n != NOBODY && same >> lane == 1;
            of.ranked[(k * chunks + i) * WARP + lane] = {(uint16_t)n, (uint16_t)rank};
            __syncwarp();
            if (is_last) count[n] = (uint16_t)(rank + 1);
            if (is_last && rank > 0) atomicMax(&of.extras[mine.first + n], rank);
            __syncwarp();
        }
#pragma unroll
        for (int i = 0; i < WARP; i++)
            if (number[i] != NOBODY) count[number[i]] = 0;
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

/* Returns what is at a place; `extra` is where the block's part of plan.extra begins. */
__device__ inline sweep_entry entry_at(const sweep_plan &plan, const sweep_entries &of,
                                       int64_t place, int64_t extra)
{
    const sweep_chunk chunk = of.chunk[place / WARP];
    if (lane_id() >= chunk.count) return {0, 0, SWEEP_NONE};
    const int32_t at = chunk.first + lane_id();
    const sweep_rank row = of.ranked[place];
    const int32_t e = of.order[at];
    const auto column = (int32_t)(of.key[at] & ((1ull << of.column_bits) - 1));
    return {e, of.low_bits > 0 ? of.col_idx[e] : column,
            row.rank > 0 ? (uint32_t)plan.extra[extra + row.number] + row.rank - 1 : row.number};
}

/* Returns the lane that has the entry of this one.  Shared memory serves as many lanes at a time as
 * have words enough for their sums; entries are divided among lanes so that few of these want the
 * same bank. */
__device__ inline int lane_by_bank(const sweep_plan &plan, uint32_t slot)
{
    const int part_bits = plan.sum_size > 2 * BANK ? 2 : 1; /* of the lanes served at a time */
    const int lanes = WARP >> part_bits;                    /* of each part; banks for their sums */
    const unsigned filled = __ballot_sync(ALL_LANES, slot != SWEEP_NONE);
    unsigned same = filled, mine = filled; /* the bank of this lane's slot, this lane's bank */
    for (int bit = 1; bit < lanes; bit *= 2) {
        const unsigned set = __ballot_sync(ALL_LANES, (slot & bit) != 0);
        same &= (slot & bit) != 0 ? set : ~set;
        mine &= (lane_id() & bit) != 0 ? set : ~set;
    }
    const int count = lane_id() < lanes ? __popc(mine) : 0;
    const int first = __shfl_sync(ALL_LANES, sum_through(count) - count, (int)slot & (lanes - 1));
    const int at = slot == SWEEP_NONE ? lane_id() : first + __popc(same & ((1u << lane_id()) - 1));
    return (at & ((1 << part_bits) - 1)) * lanes + (at >> part_bits);
}

/* Writes what a thread of a block loads of a group: words, pages and values. */
template <class V>
__global__ void write_groups(sweep_plan plan, sweep_entries of, const V *__restrict__ val)
{
    constexpr int EACH = sweep_values<V>();
    __shared__ sweep_entry by_bank[BLOCK];
    sweep_entry *own = by_bank + threadIdx.x / WARP * WARP;
    const int64_t b = blockIdx.x / SHARES, extra = slots_of(plan, b).at;
    const int32_t first = plan.block[b].group, threads = plan.threads;
    const int32_t n = (plan.block[b + 1].group - first) * threads;
    for (int32_t i = blockIdx.x % SHARES * BLOCK + threadIdx.x; i < n; i += SHARES * BLOCK) {
        const int64_t group = first + i / threads, thread = i % threads;
        wide<uint32_t, SWEEP_GROUP> words;
        wide<int32_t, SWEEP_GROUP> pages;
        wide<V, EACH> values[SWEEP_GROUP / EACH];
        sweep_entry mine[SWEEP_GROUP];
        /* All that is loaded is asked for before any of it is waited for. */
#pragma unroll
        for (int u = 0; u < SWEEP_GROUP; u++)
            mine[u] = entry_at(plan, of, (group * SWEEP_GROUP + u) * plan.threads + thread, extra);
#pragma unroll
        for (int u = 0; u < SWEEP_GROUP; u++) {
            own[lane_by_bank(plan, mine[u].slot)] = mine[u];
            __syncwarp();
            mine[u] = own[lane_id()];
            __syncwarp();
            words.at[u] = mine[u].slot << 16 | (uint32_t)(mine[u].column % SWEEP_PAGE);
            pages.at[u] = __shfl_sync(ALL_LANES, mine[u].column - mine[u].column % SWEEP_PAGE, 0);
        }
        if constexpr (!std::is_empty_v<V>)
#pragma unroll
            for (int u = 0; u < SWEEP_GROUP; u++)
                values[u / EACH].at[u % EACH] =
                    mine[u].slot != SWEEP_NONE ? val[mine[u].entry] : V();
        const int64_t at = group * threads + thread;
        *(wide<uint32_t, SWEEP_GROUP> *)(plan.word + at * SWEEP_GROUP) = words;
        if (lane_id() == 0)
            *(wide<int32_t, SWEEP_GROUP> *)(plan.page + at / WARP * SWEEP_GROUP) = pages;
        if constexpr (!std::is_empty_v<V>)
#pragma unroll
            for (int k = 0; k < SWEEP_GROUP / EACH; k++)
                ((wide<V, EACH> *)
                     plan.val)[(group * (SWEEP_GROUP / EACH) + k) * plan.threads + thread] =
                    values[k];
    }
}

template <class V>
void write(const sweep_plan *plan, const sweep_entries *of, cudaStream_t stream, const spmv_csr *A)
{
    launch_kernel(write_groups<V>, (unsigned)plan->blocks * SHARES, BLOCK, 0, stream, *plan, *of,
                  (const V *)A->val);
}

} // namespace

spmv_status spmv::sweep_slots(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                              int32_t numbers, int32_t *most, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t n = numbers + plan->blocks;
    const int bytes = *most * (int)sizeof(uint16_t);
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
    launch_kernel(rank_entries, grid, WARP, bytes, stream, *plan, *of);
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
    cudaStream_t stream = spmv__gpu_stream(gpu);
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
