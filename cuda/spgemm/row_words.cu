/* row_words.cu -- the columns of B as words of bits. */
#include "cuda/spgemm/row_words.cuh"

#include "cuda/device/plan.cuh"

namespace spmv
{

/* Returns whether a word of the row begins with entry q, from `begin` on. */
__device__ inline bool begins_word(const csr_rows &B, int64_t begin, int64_t q)
{
    return q == begin || __ldg(B.col + q - 1) / WORD != __ldg(B.col + q) / WORD;
}

/* Adds up where columns go on in another word; those of two rows may go on in one. */
static __global__ void look(csr_rows B, product_counts *counts)
{
    __shared__ int of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    int n = 0;
    for (int64_t q = global_thread(); q < B.nnz; q += (int64_t)gridDim.x * blockDim.x)
        n += begins_word(B, 0, q);
    n = sum_of_lanes(n);
    if (lane_id() == 0) atomicAdd(&of_block, n);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&counts->words, (unsigned long long)of_block);
}

static __global__ void count(csr_rows B, int lanes, int32_t *ptr)
{
    const int64_t k = global_thread() / lanes;
    const int64_t begin = k < B.rows ? offset(B, k) : 0, end = k < B.rows ? offset(B, k + 1) : 0;
    int n = 0;
    for (int64_t q = begin + threadIdx.x % lanes; q < end; q += lanes)
        n += begins_word(B, begin, q);
    n = sum_of_lanes(n, lanes);
    if (k < B.rows && threadIdx.x % lanes == 0) ptr[k] = n;
    if (global_thread() == 0) ptr[B.rows] = 0;
}

/* So many lanes take a row, as many entries at a time; the lane at which a word begins writes it,
 * and what follows among the next entries is added to it. */
static __global__ void write(csr_rows B, int lanes, const int32_t *ptr, int32_t *number,
                             uint32_t *bits)
{
    const int64_t k = global_thread() / lanes;
    const int lane = (int)threadIdx.x % lanes, group = lane_id() / lanes * lanes;
    const int64_t begin = k < B.rows ? offset(B, k) : 0, end = k < B.rows ? offset(B, k + 1) : 0;
    int64_t to = k < B.rows ? ptr[k] : 0;
    for (int64_t from = begin; __any_sync(ALL_LANES, from < end); from += lanes) {
        const int64_t q = from + lane;
        const bool is_first = q < end && begins_word(B, begin, q);
        const unsigned firsts =
            __ballot_sync(ALL_LANES, is_first) >> group & (ALL_LANES >> (WARP - lanes));
        const int32_t column = q < end ? __ldg(B.col + q) : -1, word = column / WORD;
        uint32_t set = q < end ? 1u << column % WORD : 0;
        for (int o = 1; o < lanes; o *= 2) {
            const int32_t other = __shfl_down_sync(ALL_LANES, word, o, lanes);
            const uint32_t more = __shfl_down_sync(ALL_LANES, set, o, lanes);
            if (other == word) set |= more;
        }
        if (is_first) {
            const int64_t at = to + __popc(firsts & ((1u << lane) - 1));
            number[at] = word;
            bits[at] = set;
        } else if (lane == 0 && q < end) {
            bits[to - 1] |= set;
        }
        to += __popc(firsts);
        __syncwarp();
    }
}

spmv_status look_at_words(const product_job *job, product_counts *counts, spmv_error *err)
{
    constexpr int EACH = 16; /* entries for each thread */
    const int block = (int)min((int64_t)256, job->limits.block);
    launch_kernel(look, blocks_for(job->B.nnz, EACH * block), block, 0, job->stream, job->B,
                  counts);
    return check_launch("looking at words of columns", err);
}

/* Returns how many lanes take a row: all of a warp where there are few, as the longest of them
 * would keep the others waiting. */
static int lanes_for(const csr_rows &B)
{
    return B.rows <= SPMV__FEW_ROWS ? WARP : lanes_for_rows(B);
}

spmv_status write_row_words(const csr_rows *words, const product_job *job, arena *scratch,
                            spmv_error *err)
{
    const int block = (int)min((int64_t)256, job->limits.block), lanes = lanes_for(job->B);
    const unsigned blocks = blocks_for(job->B.rows * lanes, block);
    int32_t *ptr = (int32_t *)words->row_ptr;
    spmv_status st;
    launch_kernel(count, blocks, block, 0, job->stream, job->B, lanes, ptr);
    SPMV__TRY(check_launch("counting words of columns", err));
    SPMV__TRY(with_scratch(scratch, "words of columns", err, [&](void *memory, size_t &bytes) {
        return sum_before(memory, bytes, ptr, job->B.rows + 1, job->stream);
    }));
    launch_kernel(write, blocks, block, 0, job->stream, job->B, lanes, (const int32_t *)ptr,
                  (int32_t *)words->col, (uint32_t *)words->val);
    st = check_launch("writing words of columns", err);
done:
    return st;
}

} // namespace spmv
