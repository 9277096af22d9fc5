/* staged_slots.cu -- which slots the blocks of csr-staged have.
 *
 * The columns that a block wants of a panel are a segment, and 8 of them after another a group:
 * counting the groups before a segment and the near ones before a group says where everything lies.
 */
#include "cuda/kernels/csr_staged/csr_staged.cuh"

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the slots of csr-staged";
constexpr int BLOCK = 256;
constexpr int SPAN = 16 * GROUP; /* columns that a near group extends over, at most */
static_assert(SPAN <= UINT8_MAX + 1);

/* Holds what is needed only while planning, on the device.  Segments go by block, then by panel;
 * behind the panels of each block comes one that is empty. */
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

/* A group is columns [begin, end) of segment s. */
struct slot_group {
    int64_t s;
    int32_t begin, end;
};
__device__ inline slot_group group_at(const numbering &n, int64_t g)
{
    const int64_t s = last_where(n.segments, [&](int64_t k) { return n.group[k] <= g; });
    const int32_t begin = n.of.first[s] + (int32_t)(g - n.group[s]) * GROUP;
    return {s, begin, min(begin + GROUP, n.of.first[s + 1])};
}

__global__ void find_near(numbering n)
{
    const int64_t g = global_thread();
    if (g > n.groups) return;
    bool near = false;
    if (g < n.groups) {
        const slot_group mine = group_at(n, g);
        near = n.of.column[mine.end - 1] - n.of.column[mine.begin] < SPAN;
    }
    n.near[g] = near;
}

/* Stores the groups before each block, and counts the far ones of each panel in each block. */
__global__ void find_blocks(numbering n, staged_plan plan)
{
    const int64_t s = global_thread(), b = s / n.parts, p = s % n.parts;
    if (s > n.segments) return;
    const int32_t begin = n.group[s];
    if (p == 0) {
        plan.block[b].near = n.near[begin];
        plan.block[b].far = begin - n.near[begin];
    }
    if (p == plan.hub_numbers / plan.panel)
        plan.block[b].hubs = n.near[begin] - n.near[n.group[s - p]];
    if (s == n.segments || p == plan.panels) return;
    const int32_t end = n.group[s + 1];
    plan.first_of_panel[p * plan.blocks + b] = end - begin - (n.near[end] - n.near[begin]);
}

/* Returns the first slot of group g, one of block b. */
__device__ inline int32_t slot_of(const numbering &n, const staged_plan &plan, int64_t b, int64_t g)
{
    const staged_block from = plan.block[b];
    const int64_t near = n.near[g] - from.near, far = g - n.near[g] - from.far;
    if (n.near[g + 1] > n.near[g]) return (int32_t)near * GROUP;
    return (int32_t)(plan.block[b + 1].near - from.near + far) * GROUP;
}

/* Says where a group goes: its place among the near ones, or among the far ones by panel; what its
 * steps or codes are counted from; and its first slot. */
struct goal {
    bool near;
    int32_t at, from, slot;
};
__device__ inline goal goal_of(const numbering &n, const staged_plan &plan, int64_t g,
                               const slot_group &mine)
{
    const int64_t b = mine.s / n.parts, p = mine.s % n.parts, far = g - n.near[g];
    const int32_t before = n.group[mine.s], slot = slot_of(n, plan, b, g);
    if (n.near[g + 1] > n.near[g]) return {true, n.near[g], n.of.column[mine.begin], slot};
    const int64_t at = plan.first_of_panel[p * plan.blocks + b] + far - (before - n.near[before]);
    plan.place[at] = (int32_t)far;
    return {false, (int32_t)at, (int32_t)(p * plan.panel), slot};
}

/* Each lane finds where a group goes; then all store the slots of some groups at a time. */
__global__ void store_groups(numbering n, staged_plan plan)
{
    const int64_t g = global_thread();
    slot_group mine = {};
    goal to = {};
    if (g < n.groups) {
        mine = group_at(n, g);
        to = goal_of(n, plan, g, mine);
        const int64_t before = to.from < plan.hub_numbers ? 0 : plan.hub_numbers;
        if (to.near) plan.near_first[to.at] = (int32_t)(to.from - before);
    }
    for (int first = 0; first < WARP; first += WARP / GROUP) {
        const int lane = first + lane_id() / GROUP, k = lane_id() % GROUP;
        const auto its = [&](int32_t of_lane) { return __shfl_sync(ALL_LANES, of_lane, lane); };
        const int32_t begin = its(mine.begin), end = its(mine.end);
        const int32_t at = its(to.at), from = its(to.from), slot = its(to.slot);
        const bool near = its(to.near) != 0;
        if (begin == end) continue;
        const int32_t offset = n.of.column[min(begin + k, end - 1)] - from;
        if (near)
            plan.near_offset[(int64_t)at * GROUP + k] = (uint8_t)offset;
        else
            plan.code[(int64_t)at * GROUP + k] = (uint16_t)offset;
        if (begin + k < end) plan.slot[begin + k] = (uint16_t)(slot + k);
    }
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* Counts groups and slots; *near is the number of near groups. */
spmv_status count(numbering *n, staged_plan *plan, spmv__gpu *gpu, arena *room, int32_t *near,
                  spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t far_segments = plan->panels * plan->blocks;
    int32_t groups = 0, far = 0;
    spmv_status st;

    SPMV__TRY(arena_take(room, &n->group, n->segments + 1, PLAN, err));
    arena_expect(plan->kept, 1, (far_segments + 1) * (int64_t)sizeof *plan->first_of_panel);
    SPMV__TRY(arena_take(plan->kept, &plan->first_of_panel, far_segments + 1, PLAN, err));
    launch_kernel(count_groups, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(exclusive_sum(n->group, n->segments, gpu, room, &groups, err));

    n->groups = groups;
    SPMV__TRY(arena_take(room, &n->near, n->groups + 1, PLAN, err));
    launch_kernel(find_near, blocks_for(n->groups + 1, BLOCK), BLOCK, 0, stream, *n);
    SPMV__TRY(exclusive_sum(n->near, n->groups, gpu, room, near, err));
    launch_kernel(find_blocks, blocks_for(n->segments + 1, BLOCK), BLOCK, 0, stream, *n, *plan);
    SPMV__TRY(exclusive_sum(plan->first_of_panel, far_segments, gpu, room, &far, err));
    plan->far = far;
done:
    return st;
}

spmv_status store(numbering *n, staged_plan *plan, spmv__gpu *gpu, int64_t near, spmv_error *err)
{
    const int64_t a_near = sizeof *plan->near_first + GROUP * sizeof *plan->near_offset;
    const int64_t a_far = sizeof *plan->place + GROUP * (sizeof *plan->code + plan->x_size);
    arena *kept = plan->kept;
    spmv_status st;

    arena_expect(kept, 5, near * a_near + plan->far * a_far);
    SPMV__TRY(arena_take(kept, &plan->near_first, near, PLAN, err));
    SPMV__TRY(arena_take(kept, &plan->near_offset, near * GROUP, PLAN, err));
    SPMV__TRY(arena_take(kept, &plan->code, plan->far * GROUP, PLAN, err));
    SPMV__TRY(arena_take(kept, &plan->place, plan->far, PLAN, err));
    SPMV__TRY(
        arena_take(kept, (char **)&plan->gathered, plan->far * GROUP * plan->x_size, PLAN, err));
    launch_kernel(store_groups, blocks_for(n->groups, BLOCK), BLOCK, 0, spmv__gpu_stream(gpu), *n,
                  *plan);
    st = check_launch(PLAN, err);
done:
    return st;
}

} // namespace

spmv_status spmv::staged_slots_create(staged_plan *plan, spmv__gpu *gpu, arena *room,
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
