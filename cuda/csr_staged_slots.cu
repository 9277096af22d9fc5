/* csr_staged_slots.cu -- which slots the blocks of csr-staged have.
 *
 * The columns that a block wants of a panel are a segment, and 8 of them after another a group:
 * counting the groups before a segment and the near ones before a group says where everything lies.
 */
#include "csr_staged.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the slots of csr-staged";
constexpr int BLOCK = 256;
constexpr int SPAN = 16 * GROUP; /* columns that a near group extends over, at most */
static_assert(SPAN <= UINT8_MAX + 1);

/* What is needed only while planning, on the device.  Segments go by block, then by panel; behind
 * the panels of each block comes one that is empty. */
struct numbering {
    staged_columns of;
    int64_t parts;    /* segments of a block */
    int64_t segments; /* in all */
    int64_t groups;
    int32_t *group; /* [segments + 1], the first one */
    int32_t *near;  /* [groups + 1], near groups before it */
};

/* ---- Segments -------------------------------------------------------------------------------- */

__global__ void count_groups(numbering n)
{
    const int64_t s = global_thread();
    if (s > n.segments) return;
    const bool last = s == n.segments || s % n.parts == n.parts - 1;
    n.group[s] = last ? 0 : (n.of.first[s + 1] - n.of.first[s] + GROUP - 1) / GROUP;
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
    const int32_t begin = n.of.first[s] + (int32_t)(g - n.group[s]) * GROUP;
    return {s, begin, min(begin + GROUP, n.of.first[s + 1])};
}

__global__ void find_near(numbering n)
{
    const int64_t g = global_thread();
    if (g > n.groups) return;
    bool near = false;
    if (g < n.groups) {
        const group mine = group_at(n, g);
        near = n.of.column[mine.end - 1] - n.of.column[mine.begin] < SPAN;
    }
    n.near[g] = near;
}

/* The groups before each block, and the far ones of each panel in each block. */
__global__ void find_blocks(numbering n, staged_plan plan)
{
    const int64_t s = global_thread(), b = s / n.parts, p = s % n.parts;
    if (s > n.segments) return;
    const int32_t begin = n.group[s];
    if (p == 0) {
        plan.block[b].near = n.near[begin];
        plan.block[b].far = begin - n.near[begin];
    }
    if (s == n.segments || p == plan.panels) return;
    const int32_t end = n.group[s + 1];
    plan.first_of_panel[p * plan.blocks + b] = end - begin - (n.near[end] - n.near[begin]);
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
    const int64_t b = mine.s / n.parts, p = mine.s % n.parts, far = g - n.near[g];
    const int32_t before = n.group[mine.s], slot = slot_of(n, plan, b, g);
    const int64_t where =
        plan.first_of_panel[p * plan.blocks + b] + far - (before - n.near[before]);
    for (int k = 0; k < GROUP; k++) {
        const int32_t i = min(mine.begin + k, mine.end - 1), c = n.of.column[i];
        if (near)
            plan.near_step[(int64_t)n.near[g] * GROUP + k] = (uint8_t)(c - n.of.column[mine.begin]);
        else
            plan.code[where * GROUP + k] = (uint16_t)(c - p * plan.panel);
        plan.slot[i] = (uint16_t)(slot + i - mine.begin);
    }
    if (near)
        plan.near_first[n.near[g]] = n.of.column[mine.begin];
    else
        plan.place[where] = (int32_t)far;
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* All that is counted; returns the near groups. */
spmv_status count(numbering *n, staged_plan *plan, spmv__gpu *gpu, scratch *room, int32_t *near,
                  spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int64_t far_segments = plan->panels * plan->blocks;
    int32_t groups = 0, far = 0;
    spmv_status st;

    SPMV__TRY(scratch_take(room, &n->group, n->segments + 1, PLAN, err));
    SPMV__TRY(device_array(&plan->first_of_panel, far_segments + 1, PLAN, err));
    start(count_groups, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(add_up(n->group, n->segments, gpu, room, &groups, err));

    n->groups = groups;
    SPMV__TRY(scratch_take(room, &n->near, n->groups + 1, PLAN, err));
    start(find_near, blocks_for(n->groups + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(add_up(n->near, n->groups, gpu, room, near, err));
    start(find_blocks, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n, *plan);
    SPMV__TRY(add_up(plan->first_of_panel, far_segments, gpu, room, &far, err));
    plan->far = far;
done:
    return st;
}

spmv_status store(numbering *n, staged_plan *plan, spmv__gpu *gpu, int64_t near, spmv_error *err)
{
    spmv_status st;

    SPMV__TRY(device_array(&plan->near_first, near, PLAN, err));
    SPMV__TRY(device_array(&plan->near_step, near * GROUP, PLAN, err));
    SPMV__TRY(device_array(&plan->code, plan->far * GROUP, PLAN, err));
    SPMV__TRY(device_array(&plan->place, plan->far, PLAN, err));
    SPMV__TRY(device_array((char **)&plan->gathered, plan->far * GROUP * plan->number, PLAN, err));
    start(store_groups, blocks_for(n->groups, BLOCK), BLOCK, 0, (cudaStream_t)spmv__gpu_stream(gpu),
          *n, *plan);
    st = check_launch(PLAN, err);
done:
    return st;
}

} // namespace

spmv_status spmv::staged_slots_create(staged_plan *plan, spmv__gpu *gpu, scratch *room,
                                      const staged_columns *of, spmv_error *err)
{
    numbering n = {};
    int32_t near = 0;
    spmv_status st;

    n.of = *of;
    n.parts = plan->panels + 1;
    n.segments = plan->blocks * n.parts;
    SPMV__TRY(count(&n, plan, gpu, room, &near, err));
    st = store(&n, plan, gpu, near, err);
done:
    return st;
}
