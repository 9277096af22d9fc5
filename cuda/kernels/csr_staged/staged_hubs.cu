/* staged_hubs.cu -- the columns that many blocks of csr-staged want.
 *
 * The hubs of a graph have most of its entries and lie everywhere among its columns.  Here they get
 * numbers of their own, before all other columns, in the order of how many entries they have.  Then
 * what a block wants of them are neighbours, in near groups, which is half of the traffic of far
 * ones, and most of it from the cache.  Which columns these are is told from a sample of the
 * entries. */
#include "cuda/kernels/csr_staged/csr_staged.cuh"
#include "cuda/device/key_values.cuh"

using namespace spmv;

namespace
{

constexpr char HUBS[] = "the hubs of csr-staged";
constexpr int BLOCK = 256;
constexpr int SAMPLE_BITS = 4; /* one entry in 16 is looked at */
constexpr int COUNTS = 256;    /* of a column in the sample; the last one is for more, too */
constexpr int PART = 12;       /* one block in so many wants a hub, at least */
constexpr int CLOSE = 32;      /* hubs that are close when they have */
constexpr int GAP = 4;         /* columns each, at most */
constexpr int TIMES = 4;       /* the mean of all columns that a hub has, at least */
PLAN_LIMIT(LEAST, 4);          /* entries of a hub in the sample */
PLAN_LIMIT(MOST_PANELS, 4);    /* of hubs; with so few panels there are none */
constexpr int SHARE = 3;       /* one entry in so many is in a hub, at least */
static_assert(COUNTS - 1 <= UINT8_MAX);

/* Holds what is needed only while planning, on the device. */
struct hub_sample {
    int64_t cols, nnz;
    const int32_t *col_idx;
    int32_t *entries;    /* [cols], of each column in the sample */
    int32_t *columns;    /* [COUNTS], with so many entries there */
    int32_t *before;     /* [cols + 1], hubs before each column */
    int32_t *close;      /* hubs with others close behind them */
    int32_t least, hubs; /* entries of a hub in the sample; columns with as many */
};

__global__ void count_entries(hub_sample of)
{
    const int64_t i = global_thread();
    const unsigned mixed = (unsigned)i * 0x9e3779b1u;
    const int64_t p = (i << SAMPLE_BITS) + (mixed >> (32 - SAMPLE_BITS));
    if (p < of.nnz) atomicAdd(of.entries + of.col_idx[p], 1);
}

__global__ void count_columns(hub_sample of)
{
    __shared__ int32_t here[COUNTS];
    for (int i = threadIdx.x; i < COUNTS; i += blockDim.x) here[i] = 0;
    __syncthreads();
    const int64_t c = global_thread();
    if (c < of.cols) atomicAdd(here + min(of.entries[c], COUNTS - 1), 1);
    __syncthreads();
    for (int i = threadIdx.x; i < COUNTS; i += blockDim.x)
        if (here[i] > 0) atomicAdd(of.columns + i, here[i]);
}

__global__ void mark_hubs(hub_sample of)
{
    const int64_t c = global_thread();
    if (c < of.cols) of.before[c] = of.entries[c] >= of.least;
}

__global__ void list_hubs(hub_sample of, key_values to)
{
    const int64_t c = global_thread();
    if (c >= of.cols || of.entries[c] < of.least) return;
    to.key[of.before[c]] = (unsigned)(COUNTS - 1 - min(of.entries[c], COUNTS - 1));
    to.value[of.before[c]] = (int32_t)c;
}

/* Counts the hubs with so many others close behind them that blocks find near groups anyway. */
__global__ void count_close(int64_t hubs, const int32_t *__restrict__ hub, int32_t *close)
{
    const int64_t i = global_thread();
    const bool is = i + CLOSE < hubs && hub[i + CLOSE] - hub[i] < CLOSE * GAP;
    const unsigned all = __ballot_sync(ALL_LANES, is);
    if (lane_id() == 0 && all != 0) atomicAdd(close, __popc(all));
}

__global__ void number_others(hub_sample of, int32_t first, int32_t *number)
{
    const int64_t c = global_thread();
    if (c < of.cols) number[c] = first + (int32_t)c;
}

__global__ void number_hubs(int64_t hubs, const int32_t *__restrict__ sorted, int32_t *hub,
                            int32_t *number)
{
    const int64_t i = global_thread();
    if (i >= hubs) return;
    hub[i] = sorted[i];
    number[sorted[i]] = (int32_t)i;
}

__global__ void renumber(hub_sample of, const int32_t *__restrict__ number, int32_t *to)
{
    const int64_t p = global_thread();
    if (p < of.nnz) to[p] = number[of.col_idx[p]];
}

/* Counts the sample, and finds the least entries with which there are not too many hubs; leaves
 * of->hubs 0 where they have few of the entries. */
spmv_status choose_hubs(hub_sample *of, const staged_plan *plan, spmv__gpu *gpu, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t sample = of->nnz >> SAMPLE_BITS, blocks = of->nnz / plan->slots;
    const int64_t least =
        max(max(blocks / PART >> SAMPLE_BITS, sample * TIMES / of->cols) + 1, (int64_t)LEAST);
    int32_t columns[COUNTS];
    int64_t hubs = 0, entries = 0;
    int32_t n = COUNTS;
    spmv_status st;

    launch_kernel(count_entries, blocks_for(sample + 1, BLOCK), BLOCK, 0, stream, *of);
    launch_kernel(count_columns, blocks_for(of->cols, BLOCK), BLOCK, 0, stream, *of);
    SPMV__TRY(check_launch(HUBS, err));
    SPMV__TRY(spmv__gpu_download(gpu, columns, of->columns, sizeof columns, err));
    while (n > least && hubs + columns[n - 1] <= (int64_t)MOST_PANELS * plan->panel) {
        hubs += columns[--n];
        entries += (int64_t)columns[n] * n;
    }
    of->least = n;
    of->hubs = entries > sample / SHARE ? (int32_t)hubs : 0;
done:
    return st;
}

/* Sorts the hubs by falling number of entries; leaves of->hubs 0 where they are close together. */
spmv_status sort_hubs(hub_sample *of, key_values *out, spmv__gpu *gpu, arena *room, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    int32_t close = 0;
    spmv_status st;

    launch_kernel(mark_hubs, blocks_for(of->cols, BLOCK), BLOCK, 0, stream, *of);
    SPMV__TRY(enqueue_exclusive_sum(of->before, of->cols, gpu, room, err));
    SPMV__TRY(key_values_take(out, of->hubs, room, HUBS, err));
    launch_kernel(list_hubs, blocks_for(of->cols, BLOCK), BLOCK, 0, stream, *of, *out);
    launch_kernel(count_close, blocks_for(of->hubs, BLOCK), BLOCK, 0, stream, (int64_t)of->hubs,
                  out->value, of->close);
    SPMV__TRY(check_launch(HUBS, err));
    SPMV__TRY(spmv__gpu_download(gpu, &close, of->close, sizeof close, err));
    if (close > of->hubs / 2) of->hubs = 0;
    if (of->hubs > 0) st = key_values_sort(out, bits_of(COUNTS - 1), gpu, room, HUBS, err);
done:
    return st;
}

/* Gives the hubs, sorted, and all other columns their numbers. */
spmv_status renumber_columns(const hub_sample *of, staged_plan *plan, const int32_t *sorted,
                             spmv__gpu *gpu, arena *room, spmv_csr *A, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t numbers = (of->hubs + plan->panel - 1) / plan->panel * plan->panel;
    int32_t *number = of->entries, *col_idx = NULL;
    spmv_status st;

    arena_expect(plan->kept, 2, of->hubs * (int64_t)(sizeof *plan->hub + plan->x_size));
    SPMV__TRY(arena_take(plan->kept, &plan->hub, of->hubs, HUBS, err));
    SPMV__TRY(
        arena_take(plan->kept, (char **)&plan->hub_x, (int64_t)of->hubs * plan->x_size, HUBS, err));
    SPMV__TRY(arena_take(room, &col_idx, of->nnz, HUBS, err));
    launch_kernel(number_others, blocks_for(of->cols, BLOCK), BLOCK, 0, stream, *of,
                  (int32_t)numbers, number);
    launch_kernel(number_hubs, blocks_for(of->hubs, BLOCK), BLOCK, 0, stream, (int64_t)of->hubs,
                  sorted, plan->hub, number);
    launch_kernel(renumber, blocks_for(of->nnz, BLOCK), BLOCK, 0, stream, *of, number, col_idx);
    SPMV__TRY(check_launch(HUBS, err));
    plan->hubs = of->hubs;
    plan->hub_numbers = numbers;
    A->col_idx = col_idx;
    A->cols += numbers;
done:
    return st;
}

} // namespace

spmv_status spmv::staged_hubs_create(staged_plan *plan, spmv__gpu *gpu, arena *room, spmv_csr *A,
                                     spmv_error *err)
{
    hub_sample of = {};
    key_values sorted = {};
    spmv_status st = SPMV_SUCCESS;

    of.cols = A->cols;
    of.nnz = A->nnz;
    of.col_idx = A->col_idx;
    if (plan->panels <= MOST_PANELS || A->cols > INT32_MAX - (int64_t)MOST_PANELS * plan->panel)
        goto done;
    room->next = 4 * A->nnz + 12 * A->cols;
    SPMV__TRY(arena_take(room, &of.entries, A->cols + COUNTS + 1, HUBS, err));
    SPMV__TRY(arena_take(room, &of.before, A->cols + 1, HUBS, err));
    of.columns = of.entries + A->cols;
    of.close = of.columns + COUNTS;
    SPMV__TRY(
        spmv__gpu_clear(gpu, of.entries, (A->cols + COUNTS + 1) * (int64_t)sizeof(int32_t), err));
    SPMV__TRY(choose_hubs(&of, plan, gpu, err));
    if (of.hubs > 0) SPMV__TRY(sort_hubs(&of, &sorted, gpu, room, err));
    if (of.hubs > 0) st = renumber_columns(&of, plan, sorted.value, gpu, room, A, err);
done:
    return st;
}
