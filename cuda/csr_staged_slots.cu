/* csr_staged_slots.cu -- which slots the blocks of csr-staged have.
 *
 * The entries of each block are sorted by column, so that entries of one column are together, and
 * columns of one panel.  One thread then numbers the slots of a block: once to count its groups,
 * and once more to store them where the counts of all have room for them. */
#include "csr_staged.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the slots of csr-staged";
constexpr int BLOCK = 256;
constexpr int SPAN = 4 * GROUP; /* columns that a near group extends over, at most */

/* What is needed only while planning, on the device. */
struct numbering {
    int col_bits;           /* of a key, below the number of the block */
    uint64_t *key, *sorted; /* [nnz] */
    int32_t *entry, *order; /* [nnz], entries in old and in sorted order */
};

/* Key of an entry: its block, then its column. */
__global__ void make_keys(int32_t nnz, staged_plan plan, const int32_t *__restrict__ col_idx,
                          numbering to)
{
    const int64_t p = global_thread();
    if (p >= nnz) return;
    const int64_t b =
        first_not(plan.blocks, [&](int64_t k) { return plan.block[k].entry <= p; }) - 1;
    to.key[p] = (uint64_t)b << to.col_bits | (uint64_t)col_idx[p];
    to.entry[p] = (int32_t)p;
}

/* Groups of a block, or of all blocks before it. */
struct group_counts {
    int64_t near, far;
};

/* A group in the making: entries [begin, end) of the sorted ones have these columns. */
struct group {
    int columns;
    int32_t begin, end, col[GROUP];
};

/* Where the groups of a block are stored. */
struct group_store {
    staged_plan plan;
    staged_block from;
    int near_slots;
    const uint64_t *sorted;
    const int32_t *order;
};

/* The next near group of its block, or its next far one, which is number `where` of all. */
__device__ inline void store_group(const group &g, bool near, group_counts before, int32_t where,
                                   const group_store &to)
{
    const int slot = near ? (int)before.near * GROUP : to.near_slots + (int)before.far * GROUP;
    for (int32_t i = g.begin, k = 0; i < g.end; i++) {
        if (i > g.begin && to.sorted[i] != to.sorted[i - 1]) k++;
        to.plan.slot[to.order[i]] = (uint16_t)(slot + k);
    }
    for (int k = 0; k < GROUP; k++) {
        const int32_t c = g.col[min(k, g.columns - 1)];
        if (near)
            to.plan.near_col[(to.from.near + before.near) * GROUP + k] = c;
        else
            to.plan.code[(int64_t)where * GROUP + k] = (uint16_t)(c % to.plan.panel);
    }
    if (!near) to.plan.place[where] = (int32_t)(to.from.far + before.far);
}

/* Groups the columns of sorted entries [begin, end), all of one block: far_of_panel[p * blocks] is
 * its number of far groups in panel p, or when they are stored the first of them. */
template <bool STORE>
__device__ group_counts group_columns(int32_t begin, int32_t end, const uint64_t *sorted,
                                      uint64_t col_mask, const staged_plan &plan,
                                      int32_t *far_of_panel, const group_store &to)
{
    group_counts n = {};
    group g = {};
    bool near = true; /* the last group; one with few columns is like it */
    int32_t panel = -1, far = 0;
    for (int32_t i = begin; i <= end; i++) {
        const int32_t c = i < end ? (int32_t)(sorted[i] & col_mask) : -1;
        if (g.columns > 0 && c == g.col[g.columns - 1]) continue;
        if (g.columns > 0 && (g.columns == GROUP || c / plan.panel != panel || i == end)) {
            g.end = i;
            near = (g.columns == GROUP || near) && g.col[g.columns - 1] - g.col[0] < SPAN;
            int32_t *of_panel = far_of_panel + panel * plan.blocks;
            if (STORE) store_group(g, near, n, *of_panel + far, to);
            n.near += near;
            n.far += !near;
            far += !near;
            if (!STORE) *of_panel = far;
            g.columns = 0;
        }
        if (i == end) break;
        if (c / plan.panel != panel) {
            panel = c / plan.panel;
            far = 0;
        }
        if (g.columns == 0) g.begin = i;
        g.col[g.columns++] = c;
    }
    return n;
}

/* Each block of tiles has a warp, of which one lane works. */
__global__ void count_groups(numbering n, staged_plan plan, group_counts *counted)
{
    const int64_t b = blockIdx.x;
    if (threadIdx.x > 0) return;
    counted[b] = group_columns<false>(
        (int32_t)plan.block[b].entry, (int32_t)plan.block[b + 1].entry, n.sorted,
        ((uint64_t)1 << n.col_bits) - 1, plan, plan.first_of_panel + b, group_store());
}
__global__ void store_groups(numbering n, staged_plan plan)
{
    const int64_t b = blockIdx.x;
    if (threadIdx.x > 0) return;
    const staged_block from = plan.block[b], next = plan.block[b + 1];
    const group_store to = {plan, from, (int)(next.near - from.near) * GROUP, n.sorted, n.order};
    group_columns<true>((int32_t)from.entry, (int32_t)next.entry, n.sorted,
                        ((uint64_t)1 << n.col_bits) - 1, plan, plan.first_of_panel + b, to);
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* Entries in the order of their blocks, then of their columns. */
spmv_status sort_entries(numbering *n, spmv__gpu *gpu, const spmv_csr *A, const staged_plan *plan,
                         spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    spmv_status st;

    n->col_bits = bits_of(A->cols);
    SPMV__TRY(device_array(&n->key, A->nnz, PLAN, err));
    SPMV__TRY(device_array(&n->sorted, A->nnz, PLAN, err));
    SPMV__TRY(device_array(&n->entry, A->nnz, PLAN, err));
    SPMV__TRY(device_array(&n->order, A->nnz, PLAN, err));
    start(make_keys, blocks_for(A->nnz, BLOCK), BLOCK, 0, stream, (int32_t)A->nnz, *plan,
          A->col_idx, *n);
    SPMV__TRY(check_launch(PLAN, err));
    st = with_scratch(gpu, "sorting entries by column", err, [&](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, n->key, n->sorted, n->entry,
                                               n->order, (int)A->nnz, 0,
                                               n->col_bits + bits_of(plan->blocks), stream);
    });
done:
    return st;
}

/* Counts become the first groups of each block; returns those of all. */
spmv_status add_up_blocks(staged_plan *plan, spmv__gpu *gpu, const group_counts *counted,
                          group_counts *sum, spmv_error *err)
{
    const int64_t n = plan->blocks;
    group_counts *count = NULL;
    staged_block *block = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&count, n, sizeof *count, "groups of blocks", err));
    SPMV__TRY(spmv__alloc(&block, n + 1, sizeof *block, "blocks", err));
    SPMV__TRY(spmv__gpu_download(gpu, count, counted, n * (int64_t)sizeof *count, err));
    SPMV__TRY(spmv__gpu_download(gpu, block, plan->block, (n + 1) * (int64_t)sizeof *block, err));
    for (int64_t b = 0; b <= n; b++) {
        block[b].near = sum->near;
        block[b].far = sum->far;
        if (b == n) break;
        sum->near += count[b].near;
        sum->far += count[b].far;
    }
    SPMV__TRY(spmv__gpu_upload(gpu, plan->block, block, (n + 1) * (int64_t)sizeof *block, err));
done:
    free(count);
    free(block);
    return st;
}

/* Two passes over the sorted entries. */
spmv_status number_slots(staged_plan *plan, numbering *n, spmv__gpu *gpu, const spmv_csr *A,
                         spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int64_t places = plan->panels * plan->blocks + 1;
    group_counts *counted = NULL, sum = {};
    spmv_status st;

    SPMV__TRY(device_array(&counted, plan->blocks, PLAN, err));
    SPMV__TRY(device_array(&plan->first_of_panel, places, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, plan->first_of_panel, places * (int64_t)sizeof(int32_t), err));
    start(count_groups, (unsigned)plan->blocks, WARP, 0, stream, *n, *plan, counted);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(add_up_blocks(plan, gpu, counted, &sum, err));
    SPMV__TRY(
        with_scratch(gpu, "adding up groups of panels", err, [&](void *scratch, size_t &bytes) {
            return cub::DeviceScan::ExclusiveSum(scratch, bytes, plan->first_of_panel,
                                                 plan->first_of_panel, (int)places, stream);
        }));
    plan->far = sum.far;
    SPMV__TRY(device_array(&plan->slot, A->nnz + MERGE_WIDTH, PLAN, err));
    SPMV__TRY(
        spmv__gpu_clear(gpu, plan->slot + A->nnz, MERGE_WIDTH * (int64_t)sizeof *plan->slot, err));
    SPMV__TRY(device_array(&plan->near_col, sum.near * GROUP, PLAN, err));
    SPMV__TRY(device_array(&plan->code, sum.far * GROUP, PLAN, err));
    SPMV__TRY(device_array(&plan->place, sum.far, PLAN, err));
    SPMV__TRY(device_array((char **)&plan->gathered, sum.far * GROUP * plan->number, PLAN, err));
    start(store_groups, (unsigned)plan->blocks, WARP, 0, stream, *n, *plan);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
done:
    spmv__gpu_free(counted);
    return st;
}

} // namespace

spmv_status spmv::staged_slots_create(staged_plan *plan, spmv__gpu *gpu, const spmv_csr *A,
                                      spmv_error *err)
{
    numbering n = {};
    spmv_status st;

    SPMV__TRY(sort_entries(&n, gpu, A, plan, err));
    SPMV__TRY(number_slots(plan, &n, gpu, A, err));
done:
    spmv__gpu_free(n.key);
    spmv__gpu_free(n.sorted);
    spmv__gpu_free(n.entry);
    spmv__gpu_free(n.order);
    return st;
}
