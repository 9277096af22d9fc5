/* csr_staged_slots.cu -- which slots the blocks of csr-staged have.
 *
 * The entries of each block are ordered by column.  The columns that a block wants of a panel, each
 * once, are a segment, and 8 of them after another a group: counting the columns before an entry,
 * the groups before a segment and the near ones before a group says where everything lies. */
#include "csr_staged.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the slots of csr-staged";
constexpr int BLOCK = 256;
constexpr int SPAN = 4 * GROUP; /* columns that a near group extends over, at most */

/* What is needed only while planning, on the device; segments go by block, then by panel. */
struct numbering {
    int64_t nnz, segments, groups;
    int col_bits;         /* of a key, below the number of the block */
    const uint64_t *key;  /* [nnz], of the entries in order */
    const int32_t *entry; /* [nnz], their numbers */
    int32_t *before;      /* [nnz + 1], columns before each, itself counted where it is a first */
    uint64_t *column;     /* [columns], keys */
    int32_t *first;       /* [segments + 1], column */
    int32_t *group;       /* [segments + 1], the first one */
    int32_t *near;        /* [groups + 1], near groups before it */
};

/* ---- Columns and segments -------------------------------------------------------------------- */

__device__ inline bool is_first(const numbering &n, int64_t i)
{
    return i == 0 || n.key[i] != n.key[i - 1];
}

__global__ void count_columns(numbering n)
{
    const int64_t i = global_thread();
    if (i <= n.nnz) n.before[i] = i < n.nnz && is_first(n, i);
}
__global__ void take_columns(numbering n)
{
    const int64_t i = global_thread();
    if (i < n.nnz && is_first(n, i)) n.column[n.before[i]] = n.key[i];
}

__device__ inline int32_t column_of(const numbering &n, uint64_t key)
{
    return (int32_t)(key & (((uint64_t)1 << n.col_bits) - 1));
}
__device__ inline int64_t segment_of(const numbering &n, const staged_plan &plan, uint64_t key)
{
    return (int64_t)(key >> n.col_bits) * plan.panels + column_of(n, key) / plan.panel;
}

/* The first column of each segment. */
__global__ void find_segments(numbering n, staged_plan plan, int64_t columns)
{
    const int64_t s = global_thread();
    if (s > n.segments) return;
    n.first[s] = (int32_t)first_not(
        columns, [&](int64_t k) { return segment_of(n, plan, n.column[k]) < s; });
}
__global__ void count_groups(numbering n)
{
    const int64_t s = global_thread();
    if (s > n.segments) return;
    n.group[s] = s < n.segments ? (n.first[s + 1] - n.first[s] + GROUP - 1) / GROUP : 0;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Columns [begin, end) of segment s. */
struct group {
    int64_t s;
    int32_t begin, end;
};
__device__ inline group group_at(const numbering &n, int64_t g)
{
    const int64_t s = last_with(n.segments, [&](int64_t k) { return n.group[k] <= g; });
    const int32_t begin = n.first[s] + (int32_t)(g - n.group[s]) * GROUP;
    return {s, begin, min(begin + GROUP, n.first[s + 1])};
}

__global__ void find_near(numbering n)
{
    const int64_t g = global_thread();
    if (g > n.groups) return;
    bool near = false;
    if (g < n.groups) {
        const group mine = group_at(n, g);
        near = n.column[mine.end - 1] - n.column[mine.begin] < SPAN;
    }
    n.near[g] = near;
}

/* The groups before each block, and the far ones of each panel in each block. */
__global__ void find_blocks(numbering n, staged_plan plan)
{
    const int64_t s = global_thread(), b = s / plan.panels;
    if (s > n.segments) return;
    const int32_t begin = n.group[s];
    if (s % plan.panels == 0) {
        plan.block[b].near = n.near[begin];
        plan.block[b].far = begin - n.near[begin];
    }
    if (s == n.segments) return;
    const int32_t end = n.group[s + 1];
    plan.first_of_panel[s % plan.panels * plan.blocks + b] =
        end - begin - (n.near[end] - n.near[begin]);
}

/* The first slot of group g, one of block b. */
__device__ inline int32_t slot_of(const numbering &n, const staged_plan &plan, int64_t b, int64_t g)
{
    const staged_block from = plan.block[b];
    const int64_t near = n.near[g] - from.near, far = g - n.near[g] - from.far;
    if (n.near[g + 1] > n.near[g]) return (int32_t)near * GROUP;
    return (int32_t)(plan.block[b + 1].near - from.near + far) * GROUP;
}

__global__ void store_groups(numbering n, staged_plan plan)
{
    const int64_t g = global_thread();
    if (g >= n.groups) return;
    const group mine = group_at(n, g);
    const bool near = n.near[g + 1] > n.near[g];
    const int64_t b = mine.s / plan.panels, p = mine.s % plan.panels, far = g - n.near[g];
    const int32_t before = n.group[mine.s];
    const int64_t where =
        plan.first_of_panel[p * plan.blocks + b] + far - (before - n.near[before]);
    for (int k = 0; k < GROUP; k++) {
        const int32_t c = column_of(n, n.column[min(mine.begin + k, mine.end - 1)]);
        if (near)
            plan.near_col[(int64_t)n.near[g] * GROUP + k] = c;
        else
            plan.code[where * GROUP + k] = (uint16_t)(c % plan.panel);
    }
    if (!near) plan.place[where] = (int32_t)far;
}

__global__ void store_slots(numbering n, staged_plan plan)
{
    const int64_t i = global_thread();
    if (i >= n.nnz) return;
    const int64_t s = segment_of(n, plan, n.key[i]);
    const int32_t k = n.before[i + 1] - 1 - n.first[s];
    plan.slot[n.entry[i]] =
        (uint16_t)(slot_of(n, plan, s / plan.panels, n.group[s] + k / GROUP) + k % GROUP);
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* All that is counted; returns the near groups. */
spmv_status count(numbering *n, staged_plan *plan, spmv__gpu *gpu, int32_t *near, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    int32_t columns = 0, groups = 0, far = 0;
    spmv_status st;

    n->segments = plan->panels * plan->blocks;
    SPMV__TRY(device_array(&n->first, n->segments + 1, PLAN, err));
    SPMV__TRY(device_array(&n->group, n->segments + 1, PLAN, err));
    SPMV__TRY(device_array(&plan->first_of_panel, n->segments + 1, PLAN, err));
    start(count_columns, blocks_for(n->nnz + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(add_up(n->before, n->nnz, gpu, &columns, err));
    start(take_columns, blocks_for(n->nnz, BLOCK), BLOCK, 0, stream, *n);
    start(find_segments, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n, *plan,
          (int64_t)columns);
    start(count_groups, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(add_up(n->group, n->segments, gpu, &groups, err));

    n->groups = groups;
    SPMV__TRY(device_array(&n->near, n->groups + 1, PLAN, err));
    start(find_near, blocks_for(n->groups + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(add_up(n->near, n->groups, gpu, near, err));
    start(find_blocks, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n, *plan);
    SPMV__TRY(add_up(plan->first_of_panel, n->segments, gpu, &far, err));
    plan->far = far;
done:
    return st;
}

spmv_status store(numbering *n, staged_plan *plan, spmv__gpu *gpu, int64_t near, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    spmv_status st;

    SPMV__TRY(device_array(&plan->slot, n->nnz, PLAN, err));
    SPMV__TRY(device_array(&plan->near_col, near * GROUP, PLAN, err));
    SPMV__TRY(device_array(&plan->code, plan->far * GROUP, PLAN, err));
    SPMV__TRY(device_array(&plan->place, plan->far, PLAN, err));
    SPMV__TRY(device_array((char **)&plan->gathered, plan->far * GROUP * plan->number, PLAN, err));
    start(store_groups, blocks_for(n->groups, BLOCK), BLOCK, 0, stream, *n, *plan);
    start(store_slots, blocks_for(n->nnz, BLOCK), BLOCK, 0, stream, *n, *plan);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
done:
    return st;
}

} // namespace

spmv_status spmv::staged_slots_create(staged_plan *plan, spmv__gpu *gpu, const staged_order *order,
                                      spmv_error *err)
{
    const pairs<uint64_t, int32_t> &entry = order->entry;
    numbering n = {};
    int32_t near = 0;
    spmv_status st;

    n.nnz = entry.n;
    n.col_bits = order->col_bits;
    n.key = entry.key;
    n.entry = entry.value;
    n.column = entry.spare_key;
    n.before = entry.spare_value;
    SPMV__TRY(count(&n, plan, gpu, &near, err));
    SPMV__TRY(store(&n, plan, gpu, near, err));
done:
    spmv__gpu_free(n.first);
    spmv__gpu_free(n.group);
    spmv__gpu_free(n.near);
    return st;
}
