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
constexpr int SHARES = 64; /* blocks of threads for a block of the plan */
constexpr int KEY_BITS = 32;
constexpr int MOST_PADDING = 2; /* places for each entry */

/* A key is a block and, behind it, a column without its low bits: of.column_bits of them.  A
 * segment is what a block has in a page. */
struct sweep_segments {
    int32_t n, pages;
    int32_t *begin; /* [n + 1], in the order of entries */
    int32_t *chunk; /* [n + 1], the first one */
};

__global__ void make_keys(sweep_plan plan, sweep_entries of, key_values out)
{
    const int64_t b = blockIdx.x / SHARES, end = plan.block[b + 1].entry;
    int64_t e = plan.block[b].entry + blockIdx.x % SHARES * blockDim.x + threadIdx.x;
    for (; e < end; e += SHARES * blockDim.x) {
        out.key[e] =
            (unsigned)((uint64_t)b << of.column_bits | (unsigned)of.col_idx[e] >> of.low_bits);
        out.value[e] = (int32_t)e;
    }
}

__global__ void find_segments(sweep_entries of, sweep_segments segments)
{
    const int64_t s = global_thread();
    if (s > segments.n) return;
    const uint64_t first = (uint64_t)(s / segments.pages) << of.column_bits |
                           (uint64_t)(s % segments.pages * SWEEP_PAGE) >> of.low_bits;
    segments.begin[s] =
        (int32_t)partition_point(of.nnz, [&](int64_t k) { return of.key[k] < first; });
}

__global__ void count_chunks(sweep_segments of)
{
    const int64_t s = global_thread();
    if (s < of.n) of.chunk[s] = (of.begin[s + 1] - of.begin[s] + WARP - 1) / WARP;
}

__global__ void count_groups(sweep_plan plan, sweep_segments segments, int32_t *groups)
{
    const int64_t b = global_thread();
    if (b >= plan.blocks) return;
    const int each = plan.threads / WARP * SWEEP_GROUP;
    const int32_t *first = segments.chunk + b * segments.pages;
    groups[b] = (first[segments.pages] - first[0] + each - 1) / each;
}

__global__ void set_groups(sweep_plan plan, const int32_t *__restrict__ groups)
{
    const int64_t b = global_thread();
    if (b <= plan.blocks) plan.block[b].group = groups[b];
}

/* Returns where a chunk of a block goes that has so many batches, among all of them. */
__device__ inline int place_of(const sweep_plan &plan, int chunk, int batches)
{
    const int warps = plan.threads / WARP, first = chunk / (warps * plan.window) * plan.window;
    const int among = min(plan.window, batches - first);
    const int inside = chunk - first * warps;
    return (first + inside % among) * warps + inside / among;
}

__global__ void place_chunks(sweep_plan plan, sweep_entries of, sweep_segments segments)
{
    const auto c = (int32_t)global_thread();
    if (c >= segments.chunk[segments.n]) return;
    const auto s =
        (int32_t)last_where(segments.n, [&](int64_t k) { return segments.chunk[k] <= c; });
    const int32_t b = s / segments.pages, group = plan.block[b].group;
    const int32_t batches = (plan.block[b + 1].group - group) * SWEEP_GROUP;
    const int32_t place = place_of(plan, c - segments.chunk[b * segments.pages], batches);
    const int32_t first = segments.begin[s] + (c - segments.chunk[s]) * WARP;
    of.chunk[(int64_t)group * SWEEP_GROUP * plan.threads / WARP + place] = {
        first, min(segments.begin[s + 1] - first, WARP)};
}

spmv_status sort_entries(sweep_entries *of, const sweep_plan *plan, spmv__gpu *gpu, arena *room,
                         int64_t cols, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int block_bits = bits_of(plan->blocks - 1), all = bits_of(cols - 1);
    key_values sorted = {};
    spmv_status st;

    of->low_bits = max(0, all + block_bits - KEY_BITS);
    of->column_bits = all - of->low_bits;
    SPMV__TRY(key_values_take(&sorted, of->nnz, room, PLAN, err));
    launch_kernel(make_keys, (unsigned)plan->blocks * SHARES, BLOCK, 0, stream, *plan, *of, sorted);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(key_values_sort(&sorted, of->column_bits + block_bits, gpu, room, PLAN, err));
    of->order = sorted.value;
    of->key = sorted.key;
done:
    return st;
}

} // namespace

spmv_status spmv::sweep_order(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                              int64_t cols, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    sweep_segments segments = {};
    int32_t *groups = NULL, all = 0;
    spmv_status st;

    segments.pages = (int32_t)((cols + SWEEP_PAGE - 1) / SWEEP_PAGE);
    plan->groups = 0;
    if (plan->blocks * segments.pages > of->nnz) return SPMV_SUCCESS;
    segments.n = (int32_t)plan->blocks * segments.pages;
    SPMV__TRY(sort_entries(of, plan, gpu, room, cols, err));
    SPMV__TRY(arena_take(room, &segments.begin, segments.n + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &segments.chunk, segments.n + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &groups, plan->blocks + 1, PLAN, err));
    launch_kernel(find_segments, blocks_for(segments.n + 1, BLOCK), BLOCK, 0, stream, *of,
                  segments);
    launch_kernel(count_chunks, blocks_for(segments.n, BLOCK), BLOCK, 0, stream, segments);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(enqueue_exclusive_sum(segments.chunk, segments.n, gpu, room, err));
    launch_kernel(count_groups, blocks_for(plan->blocks, BLOCK), BLOCK, 0, stream, *plan, segments,
                  groups);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(exclusive_sum(groups, plan->blocks, gpu, room, &all, err));
    of->places = (int64_t)all * SWEEP_GROUP * plan->threads;
    if (of->places > MOST_PADDING * of->nnz + plan->blocks * SWEEP_GROUP * plan->threads) goto done;
    plan->groups = all;
    launch_kernel(set_groups, blocks_for(plan->blocks + 1, BLOCK), BLOCK, 0, stream, *plan,
                  (const int32_t *)groups);
    SPMV__TRY(arena_take(room, &of->chunk, of->places / WARP, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, of->chunk, of->places / WARP * (int64_t)sizeof *of->chunk, err));
    launch_kernel(place_chunks, blocks_for(of->places / WARP, BLOCK), BLOCK, 0, stream, *plan, *of,
                  segments);
    st = check_launch(PLAN, err);
done:
    return st;
}
