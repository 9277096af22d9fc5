/* sweep_order.cu -- the order in which a block of csr-sweep takes its entries.
 *
 * They are sorted by column, but for some low bits where there are very many columns.  Entries of
 * one page then fill chunks, one for each warp, whose last places stay empty.  Chunks that follow
 * each other go to different batches of a window: rows that have neighbouring columns would
 * otherwise meet themselves in a batch. */
#include "cuda/kernels/csr_sweep/csr_sweep.cuh"
#include "cuda/device/key_values.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csr-sweep";
constexpr int BLOCK = 256;
constexpr int SHARES = 16; /* blocks of threads for a block of the plan */
constexpr int KEY_BITS = 32;
constexpr int MOST_PADDING = 2; /* places for each entry */

/* A key is a block and, behind it, a column without its low bits.  A segment is what a block has in
 * a page. */
struct sweep_keys {
    int column_bits, low_bits;
    int64_t pages;
    key_values sorted;
    int32_t *begin; /* [segments + 1], in the order of the keys */
    int32_t *chunk; /* [segments + 1], the first one */
};

__global__ void make_keys(sweep_plan plan, sweep_entries of, sweep_keys keys)
{
    const int64_t b = blockIdx.x / SHARES, end = plan.block[b + 1].entry;
    int64_t e = plan.block[b].entry + blockIdx.x % SHARES * blockDim.x + threadIdx.x;
    for (; e < end; e += SHARES * blockDim.x) {
        keys.sorted.key[e] =
            (unsigned)((uint64_t)b << keys.column_bits | (unsigned)of.col_idx[e] >> keys.low_bits);
        keys.sorted.value[e] = (int32_t)e;
    }
}

__global__ void find_segments(sweep_keys keys, int64_t segments)
{
    const int64_t s = global_thread();
    if (s > segments) return;
    const uint64_t first = (uint64_t)(s / keys.pages) << keys.column_bits |
                           (uint64_t)(s % keys.pages * SWEEP_PAGE) >> keys.low_bits;
    keys.begin[s] = (int32_t)partition_point(keys.sorted.n,
                                             [&](int64_t k) { return keys.sorted.key[k] < first; });
}

__global__ void count_chunks(sweep_keys keys, int64_t segments)
{
    const int64_t s = global_thread();
    if (s < segments) keys.chunk[s] = (keys.begin[s + 1] - keys.begin[s] + WARP - 1) / WARP;
}

/* Returns the chunks of a block. */
__device__ inline int32_t chunks_of(const sweep_keys &keys, int64_t block)
{
    return keys.chunk[(block + 1) * keys.pages] - keys.chunk[block * keys.pages];
}

__global__ void count_groups(sweep_plan plan, sweep_keys keys, int32_t *groups)
{
    const int64_t b = global_thread();
    const int chunks = plan.threads / WARP * SWEEP_GROUP; /* of a group */
    if (b < plan.blocks) groups[b] = (chunks_of(keys, b) + chunks - 1) / chunks;
}

__global__ void set_groups(sweep_plan plan, const int32_t *__restrict__ groups)
{
    const int64_t b = global_thread();
    if (b <= plan.blocks) plan.block[b].group = groups[b];
}

/* Returns the place of a chunk of a block that has so many batches. */
__device__ inline int64_t place_of(const sweep_plan &plan, int64_t chunk, int64_t batches)
{
    const int64_t warps = plan.threads / WARP, first = chunk / (warps * plan.window) * plan.window;
    const int64_t among = min((int64_t)plan.window, batches - first);
    const int64_t inside = chunk - first * warps;
    return ((first + inside % among) * warps + inside / among) * WARP;
}

__global__ void place_entries(sweep_plan plan, sweep_entries of, sweep_keys keys)
{
    const int64_t i = global_thread();
    if (i >= of.nnz) return;
    const int32_t e = keys.sorted.value[i];
    const unsigned key = keys.sorted.key[i];
    const int32_t c = keys.low_bits > 0
                          ? of.col_idx[e]
                          : (int32_t)(key & (unsigned)((1ull << keys.column_bits) - 1));
    const int64_t b = (int64_t)((uint64_t)key >> keys.column_bits);
    const int64_t s = b * keys.pages + c / SWEEP_PAGE;
    const int64_t inside = i - keys.begin[s];
    const int64_t chunk = keys.chunk[s] - keys.chunk[b * keys.pages] + inside / WARP;
    const int64_t group = plan.block[b].group;
    const int64_t batches = (plan.block[b + 1].group - group) * SWEEP_GROUP;
    const int64_t place =
        group * SWEEP_GROUP * plan.threads + place_of(plan, chunk, batches) + inside % WARP;
    of.at[place] = e;
    of.column[place] = c;
}

spmv_status sort_entries(sweep_keys *keys, const sweep_plan *plan, const sweep_entries *of,
                         spmv__gpu *gpu, arena *room, int64_t cols, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int block_bits = bits_of(plan->blocks - 1), all = bits_of(cols - 1);
    spmv_status st;

    keys->low_bits = max(0, all + block_bits - KEY_BITS);
    keys->column_bits = all - keys->low_bits;
    SPMV__TRY(key_values_take(&keys->sorted, of->nnz, room, PLAN, err));
    launch_kernel(make_keys, (unsigned)plan->blocks * SHARES, BLOCK, 0, stream, *plan, *of, *keys);
    SPMV__TRY(check_launch(PLAN, err));
    st = key_values_sort(&keys->sorted, keys->column_bits + block_bits, gpu, room, PLAN, err);
done:
    return st;
}

} // namespace

spmv_status spmv::sweep_order(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                              int64_t cols, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    sweep_keys keys = {};
    int64_t segments;
    int32_t *groups = NULL, all = 0;
    spmv_status st;

    keys.pages = (cols + SWEEP_PAGE - 1) / SWEEP_PAGE;
    segments = plan->blocks * keys.pages;
    plan->groups = 0;
    if (segments > of->nnz) return SPMV_SUCCESS;
    SPMV__TRY(sort_entries(&keys, plan, of, gpu, room, cols, err));
    SPMV__TRY(arena_take(room, &keys.begin, segments + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &keys.chunk, segments + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &groups, plan->blocks + 1, PLAN, err));
    launch_kernel(find_segments, blocks_for(segments + 1, BLOCK), BLOCK, 0, stream, keys, segments);
    launch_kernel(count_chunks, blocks_for(segments, BLOCK), BLOCK, 0, stream, keys, segments);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(enqueue_exclusive_sum(keys.chunk, segments, gpu, room, err));
    launch_kernel(count_groups, blocks_for(plan->blocks, BLOCK), BLOCK, 0, stream, *plan, keys,
                  groups);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(exclusive_sum(groups, plan->blocks, gpu, room, &all, err));
    of->places = (int64_t)all * SWEEP_GROUP * plan->threads;
    if (of->places > MOST_PADDING * of->nnz + plan->blocks * SWEEP_GROUP * plan->threads) goto done;
    plan->groups = all;
    launch_kernel(set_groups, blocks_for(plan->blocks + 1, BLOCK), BLOCK, 0, stream, *plan,
                  (const int32_t *)groups);
    SPMV__TRY(arena_take(room, &of->at, of->places, PLAN, err));
    SPMV__TRY(arena_take(room, &of->column, of->places, PLAN, err));
    SPMV__TRY(check(cudaMemsetAsync(of->at, 0xff, (size_t)of->places * sizeof *of->at, stream),
                    SPMV_ERROR_CUDA_MEMCPY, PLAN, err));
    launch_kernel(place_entries, blocks_for(of->nnz, BLOCK), BLOCK, 0, stream, *plan, *of, keys);
    st = check_launch(PLAN, err);
done:
    return st;
}
