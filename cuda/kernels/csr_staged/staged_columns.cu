/* staged_columns.cu -- which columns the blocks of csr-staged want.
 *
 * A block of threads marks them in shared memory, a bit for each column, as many columns at a time
 * as fit there.  A column's rank is the number of marks before its own. */
#include "cuda/kernels/csr_staged/csr_staged.cuh"

#include <climits>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the columns of csr-staged";
constexpr int BLOCK = 1024;
constexpr int AHEAD = 16;       /* columns that a thread loads at once */
constexpr int OWN_SHARED = 256; /* bytes besides the marks */
constexpr int CELL = 64;        /* columns that are counted together */
constexpr int WORDS = 2;        /* of a cell, with 32 marks each */
constexpr int TOGETHER = 4;     /* cells that a lane counts at once */
constexpr int CELL_BYTES = WORDS * (int)(sizeof(unsigned)) + (int)sizeof(uint16_t);

/* Holds marks of columns first .. first + cells * CELL - 1, in shared memory. */
struct marks {
    int32_t first;
    int cells;        /* a multiple of TOGETHER */
    unsigned *word;   /* [cells * WORDS] */
    uint16_t *before; /* [cells], marks before each in the block */
};

/* Returns the number of marks before that of column i of these, which has one. */
__device__ inline unsigned rank_of(const marks &m, unsigned i)
{
    const unsigned *word = m.word + i / CELL * WORDS;
    const unsigned below = (1u << i % WARP) - 1;
    const bool second = i % CELL >= WARP;
    return m.before[i / CELL] + (second ? __popc(word[0]) : 0) + __popc(word[second] & below);
}

/* Calls f(entry, column - first) for the entries [begin, end) in these columns. */
template <class F>
__device__ inline void for_entries(const marks &m, const int32_t *__restrict__ col_idx,
                                   int64_t begin, int64_t end, F f)
{
    for (int64_t p = begin + threadIdx.x; p < end; p += AHEAD * blockDim.x) {
        unsigned i[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const int64_t q = p + u * blockDim.x;
            i[u] = q < end ? (unsigned)(col_idx[q] - m.first) : UINT_MAX;
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (i[u] < (unsigned)m.cells * CELL) f(p + u * blockDim.x, i[u]);
    }
}

/* The cells that a lane looks at together. */
struct mark_words {
    unsigned word[TOGETHER * WORDS];
};
__device__ inline mark_words words_of(const marks &m, int i, int end)
{
    const int4 none = {0, 0, 0, 0}, *word = (const int4 *)m.word + 2 * i;
    const int4 a = i < end ? word[0] : none, b = i < end ? word[1] : none;
    return {{(unsigned)a.x, (unsigned)a.y, (unsigned)a.z, (unsigned)a.w, (unsigned)b.x,
             (unsigned)b.y, (unsigned)b.z, (unsigned)b.w}};
}
__device__ inline int count_in(const mark_words &u)
{
    int n = 0;
    for (int w = 0; w < TOGETHER * WORDS; w++) n += __popc(u.word[w]);
    return n;
}

/* Count what comes before each cell, and store the columns; `found` were before.  Returns how many
 * they are then.  Every warp takes some neighbouring cells. */
__device__ inline int store_columns(const marks &m, int found, int32_t *column)
{
    __shared__ int of_warp[BLOCK / WARP];
    const int warp = (int)threadIdx.x / WARP, warps = (int)blockDim.x / WARP;
    const int batches = m.cells / TOGETHER, each = (batches + warps - 1) / warps;
    const int begin = min(warp * each, batches), end = min(begin + each, batches);
    int n = 0, all = found;
    for (int i = begin + lane_id(); i < end; i += WARP) n += count_in(words_of(m, i, end));
    n = sum_through(n);
    if (lane_id() == WARP - 1) of_warp[warp] = n;
    __syncthreads();
    for (int w = 0; w < warps; w++) {
        if (w < warp) found += of_warp[w];
        all += of_warp[w];
    }
    for (int first = begin; first < end; first += WARP) {
        const int i = first + lane_id();
        const mark_words mine = words_of(m, i, end);
        const int marked = count_in(mine), up_to = sum_through(marked);
        int at = found + up_to - marked;
        found += __shfl_sync(ALL_LANES, up_to, WARP - 1);
        if (marked == 0) continue;
#pragma unroll
        for (int w = 0; w < TOGETHER * WORDS; w++) {
            const int32_t start = m.first + i * TOGETHER * CELL + w * WARP;
            if (w % WORDS == 0) m.before[i * TOGETHER + w / WORDS] = (uint16_t)at;
            for (unsigned left = mine.word[w]; left != 0; left &= left - 1)
                column[at++] = start + WARP - 1 - __clz((int)(left & -left));
        }
    }
    __syncthreads();
    return all;
}

/* Finds where the panels of block b begin among its columns [begin, end), and the groups of all. */
__device__ inline void find_panels(const staged_plan &plan, const staged_columns &of, int64_t b,
                                   int32_t begin, int32_t end)
{
    __shared__ int all;
    int32_t *first = of.first + b * (plan.panels + 1);
    int groups = 0;
    for (int64_t p = threadIdx.x; p <= plan.panels; p += blockDim.x)
        first[p] = begin + (int32_t)partition_point(end - begin, [&](int64_t k) {
                       return of.column[begin + k] < p * plan.panel;
                   });
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    for (int64_t p = threadIdx.x; p < plan.panels; p += blockDim.x)
        groups += (first[p + 1] - first[p] + GROUP - 1) / GROUP;
    atomicAdd(&all, groups);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(of.most, all);
}

/* Each block has one block of threads. */
__global__ void __launch_bounds__(BLOCK, 1)
    list_columns(staged_plan plan, staged_columns of, int64_t cols,
                 const int32_t *__restrict__ col_idx, int cells)
{
    const int64_t b = blockIdx.x, begin = plan.block[b].entry, end = plan.block[b + 1].entry;
    unsigned *word = (unsigned *)dynamic_shared_pairs;
    int found = 0;
    for (int64_t first = 0; first < cols; first += (int64_t)cells * CELL) {
        const marks m = {(int32_t)first, cells, word, (uint16_t *)(word + WORDS * cells)};
        for (int i = threadIdx.x; i < WORDS * cells; i += blockDim.x) word[i] = 0;
        __syncthreads();
        for_entries(m, col_idx, begin, end,
                    [&](int64_t, unsigned i) { atomicOr(word + i / WARP, 1u << i % WARP); });
        __syncthreads();
        found = store_columns(m, found, of.column + begin);
        for_entries(m, col_idx, begin, end,
                    [&](int64_t p, unsigned i) { plan.rank[p] = (uint16_t)rank_of(m, i); });
        __syncthreads();
    }
    find_panels(plan, of, b, (int32_t)begin, (int32_t)begin + found);
}

} // namespace

spmv_status spmv::staged_columns_list(const staged_columns *of, const staged_plan *plan,
                                      spmv__gpu *gpu, const spmv_csr *A, int32_t *most,
                                      spmv_error *err)
{
    int shared = 0, threads = 0, cells;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err));
    SPMV__TRY(device_has(cudaDevAttrMaxThreadsPerBlock, &threads, err));
    shared -= OWN_SHARED;
    cells = (int)min((A->cols + TOGETHER * CELL - 1) / CELL, (int64_t)shared / CELL_BYTES);
    cells = cells / TOGETHER * TOGETHER;
    SPMV__TRY(allow_shared(list_columns, cells * CELL_BYTES, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, of->most, sizeof *of->most, err));
    launch_kernel(list_columns, (unsigned)plan->blocks, min(threads, BLOCK), cells * CELL_BYTES,
                  spmv__gpu_stream(gpu), *plan, *of, A->cols, A->col_idx, cells);
    SPMV__TRY(check_launch(PLAN, err));
    st = spmv__gpu_download(gpu, most, of->most, sizeof *most, err);
done:
    return st;
}
