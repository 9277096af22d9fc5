/* csr_groups.cu -- CSR and several vectors stored by rows, in groups of rows that share columns.
 *
 * Idea     four neighbouring rows are stored together: each column that any of them has comes once,
 *          with the values of all four.  A row of x is loaded, and brought into double precision,
 *          once for four rows instead of once for each.  A warp takes a tile of such groups as
 *          csr-merge takes one of rows (merge_spmm.cuh).  Several vectors stored by columns are
 *          stored by rows first
 * Good at  rows with the columns of their neighbours: several unknowns a node, dense blocks and
 *          whole dense matrices, from 64 bytes of vectors a row on
 * Bad at   all others: where a column serves fewer than 2.5 rows there are no groups, and csr-merge
 *          multiplies, as it does few vectors, vectors that do not begin at multiples of 16 bytes,
 *          and a single one
 * Traffic  per slot (0.25 to 0.4 of a nonzero): four values + 4 bytes of column + one row of x; per
 *          row: one of y.  The plan holds the matrix once more, with zeros in up to 3 of 8 places
 * Result   deterministic: the order of a sum depends on the matrix and the number of vectors
 * Source   register blocking: Im, Yelick and Vuduc, "SPARSITY: Optimization framework for sparse
 *          matrix kernels", IJHPCA 18 (2004); here the rows of a block need not agree */
#include "cuda/kernels/csr_groups/csr_groups.cuh"
#include "cuda/kernels/csr_merge/merge_spmm.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;       /* as csr-merge has it, which takes single vectors */
constexpr int LEAST_BYTES = 64;  /* of a row of x */
constexpr int LEAST_COLUMNS = 4; /* vectors by columns, from which on one pass by rows pays */

constexpr int MANY = WARP; /* vectors of doubles from which on a lane takes 32 bytes of x */

template <class L, class K>
spmv_status enqueue_groups(const spmv__launch *run, const groups_plan *plan, spmv_error *err)
{
    return enqueue_spmm<L, K, int32_t, GROUP>(run, &plan->slots, run->A->shape.head.rows,
                                              plan->groups, err);
}

/* With 16 bytes of x per lane and load; many doubles twice. */
template <class K>
spmv_status enqueue(const spmv__launch *run, const groups_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    constexpr int N = 16 / sizeof(T);
    if constexpr (std::is_same_v<T, double>)
        if (run->vectors >= MANY) return enqueue_groups<spmm_lane<N, 2>, K>(run, plan, err);
    return enqueue_groups<spmm_lane<N, 1>, K>(run, plan, err);
}

spmv_status launch_groups(const spmv__launch *run, const groups_plan *plan, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) { st = enqueue<decltype(k)>(run, plan, err); });
    return st;
}

spmv_status launch_spmm(const spmv__launch *run, spmv_error *err)
{
    const groups_plan *plan = (const groups_plan *)run->plan;
    const int64_t size = (int64_t)spmv_type_size(run->vector_type);
    spmv__launch merge = *run;
    if (plan->groups != NULL && is_aligned(run, size, 16) && run->vectors * size >= LEAST_BYTES)
        return launch_groups(run, plan, err);
    merge.plan = plan->rows;
    return merge_spmm.launch(&merge, err);
}

int64_t workspace(const void *p, int64_t vectors)
{
    const groups_plan *plan = (const groups_plan *)p;
    const int64_t rows = merge_spmm.workspace(plan->rows, vectors);
    int64_t groups = 0;
    if (plan->groups != NULL) groups = merge_spmm.workspace(plan->groups, vectors);
    if (!spmv__product(groups, GROUP, &groups)) groups = INT64_MAX;
    return rows > groups ? rows : groups;
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    return merge_launch(run, ((const groups_plan *)run->plan)->rows, err);
}

const char *fallback(const void *plan, spmv_type)
{
    return ((const groups_plan *)plan)->groups != NULL ? NULL : CSR_MERGE;
}

const spmv__gpu_spmm spmm = {launch_spmm, workspace, LEAST_COLUMNS};

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_groups_kernel = {
    groups_plan_create, groups_plan_destroy, launch, BLOCK, BLOCK, &spmm, fallback, false};
