/* merge_rows.cu -- short rows of C, one by each thread, from few rows of B.
 *
 * The thread keeps the next column of each row of B, and takes the least: so the columns come in
 * order, and what falls on one column in the order of A, without any memory to gather them in. */
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

/* Holds the ways through up to K rows of B.  A way that has ended is at column END. */
template <int K>
struct heads {
    int64_t at[K], end[K];
    uint32_t col[K];
};
constexpr uint32_t END = 0xffffffffu;

template <int K>
__device__ inline void open(heads<K> *h, const csr_rows &A, const csr_rows &B, int64_t begin,
                            int64_t end)
{
#pragma unroll
    for (int k = 0; k < K; k++) {
        h->at[k] = h->end[k] = 0;
        if (begin + k < end) {
            const int64_t row = __ldg(A.col + begin + k);
            h->at[k] = offset(B, row);
            h->end[k] = offset(B, row + 1);
        }
    }
#pragma unroll
    for (int k = 0; k < K; k++)
        h->col[k] = h->at[k] < h->end[k] ? (uint32_t)__ldg(B.col + h->at[k]) : END;
}

template <int K>
__device__ inline uint32_t least(const heads<K> *h)
{
    uint32_t c = h->col[0];
#pragma unroll
    for (int k = 1; k < K; k++) c = min(c, h->col[k]);
    return c;
}

template <int K>
__device__ inline void advance(heads<K> *h, int k, const csr_rows &B)
{
    h->at[k]++;
    h->col[k] = h->at[k] < h->end[k] ? (uint32_t)__ldg(B.col + h->at[k]) : END;
}

template <int K>
static __global__ void count(csr_rows A, csr_rows B, row_list list, uint32_t *counts)
{
    if (global_thread() >= list.n) return;
    const int64_t i = list.row[global_thread()];
    heads<K> h;
    uint32_t n = 0;
    open(&h, A, B, offset(A, i), offset(A, i + 1));
    for (uint32_t c = least(&h); c != END; c = least(&h), n++) {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (h.col[k] == c) advance(&h, k, B);
    }
    counts[i] = n;
}

/* Entries that the lanes of a warp hold back, to write neighbours together: each lane STAGED of its
 * row.  The rows are one element apart, so that neither way to read them meets in a bank. */
constexpr int STAGED = 8;
template <class S>
struct stage {
    S sum[STAGED][WARP + 1];
    int32_t col[STAGED][WARP + 1];
};

/* Writes the `filled` entries that each lane holds back, to `at` and on. */
template <class S>
__device__ inline void write_stage(const stage<S> *held, const product_rows &C, int64_t at,
                                   int filled)
{
    const int k = lane_id() % STAGED;
    __syncwarp();
    for (int first = 0; first < WARP; first += WARP / STAGED) {
        const int row = first + lane_id() / STAGED;
        const int n = __shfl_sync(ALL_LANES, filled, row);
        const int64_t to = __shfl_sync(ALL_LANES, at, row) + k;
        if (k >= n) continue;
        C.col[to] = held->col[k][row];
        put_sum(C, to, held->sum[k][row]);
    }
    __syncwarp();
}

template <class P, int K>
static __global__ void sum(csr_rows A, csr_rows B, product_rows C, row_list list)
{
    __shared__ stage<typename P::sum> stages[MERGE_BLOCK / WARP];
    stage<typename P::sum> *held = stages + threadIdx.x / WARP;
    const bool any = global_thread() < list.n;
    const int64_t i = any ? list.row[global_thread()] : 0;
    const int64_t begin = offset(A, i), end = any ? offset(A, i + 1) : begin;
    int64_t to = any ? first_entry(C, i) : 0;
    typename P::sum a[K];
    heads<K> h;
    open(&h, A, B, begin, end);
#pragma unroll
    for (int k = 0; k < K; k++)
        if (begin + k < end) a[k] = P::left(A, begin + k);
    for (uint32_t c = least(&h); __any_sync(ALL_LANES, c != END);) {
        int filled = 0;
        for (; filled < STAGED && c != END; filled++, c = least(&h)) {
            typename P::sum all = {};
#pragma unroll
            for (int k = 0; k < K; k++) {
                if (h.col[k] != c) continue;
                all += product<P>(a[k], B, h.at[k]);
                advance(&h, k, B);
            }
            held->col[filled][lane_id()] = (int32_t)c;
            held->sum[filled][lane_id()] = all;
        }
        write_stage(held, C, to, filled);
        to += filled;
    }
}

spmv_status merge_count(const product_job *job, row_list list, uint32_t *counts, spmv_error *err)
{
    const int block = (int)min((int64_t)MERGE_BLOCK, job->limits.block);
    launch_kernel(count<MERGE_ROWS>, blocks_for(list.n, block), block, 0, job->stream, job->A,
                  job->B, list, counts);
    return check_launch("counting merged rows", err);
}

spmv_status merge_sum(const product_job *job, row_list list, product_rows C, spmv_error *err)
{
    const int block = (int)min((int64_t)MERGE_BLOCK, job->limits.block);
    by_product(job->B.type, C.type, [&](auto p) {
        launch_kernel(sum<decltype(p), MERGE_SUM_ROWS>, blocks_for(list.n, block), block, 0,
                      job->stream, job->A, job->B, C, list);
    });
    return check_launch("merging rows", err);
}

} // namespace spmv
