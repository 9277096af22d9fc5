/* csr_staged_join.cu -- which neighbouring blocks of csr-staged become one.
 *
 * A matrix is cut into small blocks first.  How far back the last block is that wants a column too
 * tells which columns a run of blocks wants: of each block those whose last one lies before the
 * run.  So it can be seen without trying how many blocks fit into the slots together. */
#include "csr_staged.cuh"

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

/* Count the columns of each block by how far back their last one is, at most REACH - 1. */
__global__ void count_wants(staged_order order, wants *of_block)
{
    const int64_t i = global_thread();
    const uint64_t *key = order.entry.key;
    if (i >= order.entry.n || (i > 0 && key[i] == key[i - 1])) return;
    const uint64_t block = ((uint64_t)1 << order.block_bits) - 1;
    uint64_t back = REACH - 1;
    if (i > 0 && key[i] >> order.block_bits == key[i - 1] >> order.block_bits)
        back = min(key[i] - key[i - 1], back);
    atomicAdd(of_block[key[i] & block].at + back, 1);
}

/* From here on each counts what lies farther back, too. */
__global__ void add_farther(int64_t blocks, wants *of_block)
{
    const int64_t b = global_thread();
    if (b >= blocks) return;
    for (int i = REACH - 2; i >= 0; i--) of_block[b].at[i] += of_block[b].at[i + 1];
}

spmv_status count(wants *of_block, const staged_plan *plan, spmv__gpu *gpu,
                  const staged_order *order, spmv_error *err)
{
    const int64_t bytes = plan->blocks * (int64_t)sizeof *of_block;
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    wants *on_device = NULL;
    spmv_status st;

    SPMV__TRY(device_array(&on_device, plan->blocks, JOIN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, on_device, bytes, err));
    start(count_wants, blocks_for(order->entry.n, BLOCK), BLOCK, 0, stream, *order, on_device);
    start(add_farther, blocks_for(plan->blocks, BLOCK), BLOCK, 0, stream, plan->blocks, on_device);
    SPMV__TRY(check_launch(JOIN, err));
    st = spmv__gpu_download(gpu, of_block, on_device, bytes, err);
done:
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

/* About the least limit with which there are at most n runs, which cost about `cost` in all. */
int64_t choose_limit(const staged_plan *plan, const staged_block *block, const wants *of_block,
                     int64_t n, int64_t cost)
{
    const auto count = [&](int64_t limit) {
        return cut_runs(NULL, plan, block, of_block, limit).n;
    };
    int64_t low = cost / n / 2, high = 2 * (cost / n) + 1;
    while (count(high) > n) {
        low = high;
        high *= 2;
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

/* The runs that become blocks: as few as there can be, in full rounds of all multiprocessors. Where
 * little room for some makes others a quarter larger than the mean, another round evens that out.
 */
runs choose_runs(staged_block *to, const staged_plan *plan, const staged_block *block,
                 const wants *of_block)
{
    const int64_t at_once = plan->at_once;
    const runs fewest = cut_runs(NULL, plan, block, of_block, INT64_MAX);
    int64_t n = max(fewest.n, plan->least_blocks);
    if (n > at_once) n = (n + at_once - 1) / at_once * at_once;
    for (;; n += at_once) {
        const int64_t limit = choose_limit(plan, block, of_block, n, fewest.cost);
        const runs all = cut_runs(to, plan, block, of_block, limit);
        if (n < at_once || n >= EVEN_ROUNDS * at_once || limit * 4 <= all.cost / n * 5) return all;
    }
}

} // namespace

spmv_status spmv::staged_join(staged_plan *plan, spmv__gpu *gpu, const staged_order *order,
                              spmv_error *err)
{
    const int64_t n = plan->blocks, bytes = (n + 1) * (int64_t)sizeof(staged_block);
    staged_block *block = NULL, *joined = NULL;
    wants *of_block = NULL;
    int32_t *run_of = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&block, n + 1, sizeof *block, JOIN, err));
    SPMV__TRY(spmv__alloc(&joined, n + 1, sizeof *joined, JOIN, err));
    SPMV__TRY(spmv__alloc(&of_block, n, sizeof *of_block, JOIN, err));
    SPMV__TRY(spmv__alloc(&run_of, n, sizeof *run_of, JOIN, err));
    SPMV__TRY(spmv__gpu_download(gpu, block, plan->block, bytes, err));
    SPMV__TRY(count(of_block, plan, gpu, order, err));
    plan->blocks = choose_runs(joined, plan, block, of_block).n;
    joined[plan->blocks] = block[n];
    for (int64_t b = 0, run = 0; b < n; b++) {
        while (run + 1 < plan->blocks && joined[run + 1].entry <= block[b].entry) run++;
        run_of[b] = (int32_t)run;
    }
    SPMV__TRY(spmv__gpu_upload(gpu, order->joined, run_of, n * (int64_t)sizeof *run_of, err));
    st = spmv__gpu_upload(gpu, plan->block, joined, bytes, err);
done:
    free(block);
    free(joined);
    free(of_block);
    free(run_of);
    return st;
}
