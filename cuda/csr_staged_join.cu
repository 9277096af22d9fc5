/* csr_staged_join.cu -- which neighbouring blocks of csr-staged become one.
 *
 * A matrix is cut into small blocks first.  How far back the last block is that wants a column too
 * tells which columns a run of blocks wants: of each block those whose last one lies before the
 * run.  So it can be seen without trying how many blocks fit into the slots together. */
#include "csr_staged.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char JOIN[] = "joining the blocks of csr-staged";
constexpr int BLOCK = 256;
constexpr int EVEN_ROUNDS = 4; /* from which on a large block delays no other much */
constexpr int REACH = 32;      /* blocks; what lies farther back counts as not there */

/* Columns of one small block whose last block lies i or more before it. */
struct wants {
    int32_t at[REACH];
};

/* Key of an entry: its column, then its block. */
__global__ void make_keys(int64_t nnz, int block_bits, staged_plan plan,
                          const int32_t *__restrict__ col_idx, uint64_t *key)
{
    const int64_t p = global_thread();
    if (p >= nnz) return;
    key[p] = (uint64_t)col_idx[p] << block_bits | (uint64_t)block_of_entry(plan, p);
}

/* Count the columns of each block by how far back their last one is, at most REACH - 1. */
__global__ void count_wants(int64_t nnz, int block_bits, const uint64_t *__restrict__ key,
                            wants *of_block)
{
    const int64_t i = global_thread();
    if (i >= nnz || (i > 0 && key[i] == key[i - 1])) return;
    const uint64_t block = ((uint64_t)1 << block_bits) - 1;
    uint64_t back = REACH - 1;
    if (i > 0 && key[i] >> block_bits == key[i - 1] >> block_bits)
        back = min(key[i] - key[i - 1], back);
    atomicAdd(of_block[key[i] & block].at + back, 1);
}

spmv_status count(wants *of_block, const staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A,
                  spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int64_t bytes = plan->blocks * (int64_t)sizeof *of_block;
    const int bits = bits_of(plan->blocks);
    uint64_t *key = NULL, *sorted = NULL;
    wants *on_device = NULL;
    spmv_status st;

    SPMV__TRY(device_array(&key, A->nnz, JOIN, err));
    SPMV__TRY(device_array(&sorted, A->nnz, JOIN, err));
    SPMV__TRY(device_array(&on_device, plan->blocks, JOIN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, on_device, bytes, err));
    start(make_keys, blocks_for(A->nnz, BLOCK), BLOCK, 0, stream, A->nnz, bits, *plan, A->col_idx,
          key);
    SPMV__TRY(with_scratch(gpu, JOIN, err, [&](void *scratch, size_t &size) {
        return cub::DeviceRadixSort::SortKeys(scratch, size, key, sorted, (int)A->nnz, 0,
                                              bits + bits_of(A->cols), stream);
    }));
    start(count_wants, blocks_for(A->nnz, BLOCK), BLOCK, 0, stream, A->nnz, bits, sorted,
          on_device);
    SPMV__TRY(check_launch(JOIN, err));
    SPMV__TRY(spmv__gpu_download(gpu, of_block, on_device, bytes, err));
    for (int64_t b = 0; b < plan->blocks; b++)
        for (int i = REACH - 2; i >= 0; i--) of_block[b].at[i] += of_block[b].at[i + 1];
done:
    spmv__gpu_free(key);
    spmv__gpu_free(sorted);
    spmv__gpu_free(on_device);
    return st;
}

/* Small blocks taken together, and what they cost in all: their entries and columns. */
struct runs {
    int64_t n, cost;
};

/* Runs whose columns fit, each panel filling up its last group, and that cost `limit` at most.  The
 * first block of each goes to `to`, unless that is NULL. */
runs cut_runs(staged_block *to, const staged_plan *plan, const staged_block *block,
              const wants *of_block, int64_t limit)
{
    const int64_t room = plan->slots - (GROUP - 1) * plan->panels;
    int64_t first = 0, columns = 0;
    runs all = {0, block[plan->blocks].entry};
    for (int64_t b = 0; b < plan->blocks; b++) {
        const int64_t more = of_block[b].at[min(b - first + 1, (int64_t)REACH - 1)];
        columns += more;
        if (b == 0 || columns > room || block[b + 1].entry - block[first].entry + columns > limit) {
            if (to != NULL) to[all.n] = block[b];
            all.n++;
            first = b;
            columns = of_block[b].at[1];
        }
        all.cost += b == first ? columns : more;
    }
    return all;
}

/* About the least limit with which there are at most n runs. */
int64_t choose_limit(const staged_plan *plan, const staged_block *block, const wants *of_block,
                     int64_t n)
{
    int64_t low = 1, high = 2 * block[plan->blocks].entry;
    while (low < high - high / 256) {
        const int64_t middle = (low + high) / 2;
        if (cut_runs(NULL, plan, block, of_block, middle).n > n)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

/* The runs that become blocks: as few as there can be, in full rounds of all multiprocessors. Where
 * little room for some makes others a quarter larger than the mean, another round evens that out.
 */
runs choose_runs(staged_block *to, const staged_plan *plan, const staged_block *block,
                 const wants *of_block)
{
    const int64_t at_once = plan->at_once;
    int64_t n = max(cut_runs(NULL, plan, block, of_block, INT64_MAX).n, plan->least_blocks);
    if (n > at_once) n = (n + at_once - 1) / at_once * at_once;
    for (;; n += at_once) {
        const int64_t limit = choose_limit(plan, block, of_block, n);
        const runs all = cut_runs(to, plan, block, of_block, limit);
        if (n < at_once || n >= EVEN_ROUNDS * at_once || limit * 4 <= all.cost / n * 5) return all;
    }
}

} // namespace

spmv_status spmv::staged_join(staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A, spmv_error *err)
{
    const int64_t n = plan->blocks + 1, bytes = n * (int64_t)sizeof(staged_block);
    staged_block *block = NULL, *joined = NULL;
    wants *of_block = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&block, n, sizeof *block, JOIN, err));
    SPMV__TRY(spmv__alloc(&joined, n, sizeof *joined, JOIN, err));
    SPMV__TRY(spmv__alloc(&of_block, n, sizeof *of_block, JOIN, err));
    SPMV__TRY(spmv__gpu_download(gpu, block, plan->block, bytes, err));
    SPMV__TRY(count(of_block, plan, gpu, A, err));
    plan->blocks = choose_runs(joined, plan, block, of_block).n;
    joined[plan->blocks] = block[n - 1];
    st = spmv__gpu_upload(gpu, plan->block, joined, bytes, err);
done:
    free(block);
    free(joined);
    free(of_block);
    return st;
}
