/* csell_rows.cu -- sliced ELLPACK with compressed columns, several rows per thread.
 *
 * Idea     SELL whose slices say in few bytes where their columns are: one number for a whole step
 *          (a distance from the diagonal, or a column) and a bit for each row, 8 or 16 bits for
 *          each slot, or lists that rows share.  The rows of a thread are 32 apart, so that values,
 *          and x under a diagonal, are read side by side; several steps of all its rows are loaded
 *          before the first is used.  With lists they stand side by side, and threads that have
 *          the same rows share their steps (csell_listed.cuh).
 *          Instructions limit it as much as memory does, so that each form has a loop that tests
 *          for nothing the form does not have.  Where rows are too few to fill the GPU, warps
 *          divide the steps of a slice
 * Good at  stencils, bands, finite elements, dense blocks of any size
 * Bad at   columns all over x (then it is SELL); a single enormous row (padding for its slice)
 * Traffic  per slot, padding included: value, and for its column a part of a byte to 4 bytes;
 *          per nonzero: x; per row: y, and 4 bytes of permutation where rows were sorted; per
 *          slice: 3 offsets, an encoding, and 4 bytes for each step that is one number
 * Result   deterministic on one device: a row is summed in storage order, in as many portions and
 *          shares as follow from the shape of the matrix and the number of multiprocessors
 * Source   slices: Kreutzer, Hager, Wellein, Fehske and Bishop, SISC 36, 2014; distances from the
 *          diagonal: Godwin, Holewinski and Sadayappan, GPGPU-5, 2012 */
#include "cuda/kernels/csell/csell_rows.cuh"
#include "cuda/device/plan.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csell";
constexpr int BLOCK = 256;  /* threads, of the plan */
PLAN_LIMIT(FEW_LISTS, 64);  /* slices for each that has lists, where these are looked up */
PLAN_LIMIT(MOST_STEPS, 64); /* that it has then */

struct csell_plan {
    void (*enqueue)(const spmv__launch *run, int multiprocessors);
    int multiprocessors;
};

/* Counts the slices that have lists; one of many steps counts for all. */
template <class I>
__global__ void count_lists(spmv_csell A, int64_t slices, unsigned long long *count)
{
    const int64_t i = global_thread();
    const I *slice_ptr = (const I *)A.slice_ptr;
    unsigned long long own = 0;
    if (i < slices && A.encoding[i] >= SPMV_CSELL_LISTS)
        own = slice_ptr[i + 1] - slice_ptr[i] <= MOST_STEPS * A.slice ? 1 : slices;
    own = sum_of_lanes(own);
    if (lane_id() == 0 && own > 0) atomicAdd(count, own);
}

spmv_status find_lists(uint64_t *lists, spmv__gpu *gpu, const spmv_gpu_matrix *A, spmv_error *err)
{
    const spmv_csell *csell = &A->shape.csell;
    const int64_t slices = csell_slices(csell);
    unsigned long long *count = NULL;
    arena room = {};
    spmv_status st;

    SPMV__TRY(arena_take(&room, &count, 1, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, count, sizeof *count, err));
    if (slices > 0)
        by_index(A, [&](auto i) {
            launch_kernel(count_lists<decltype(i)>, blocks_for(slices, BLOCK), BLOCK, 0,
                          (cudaStream_t)spmv__gpu_stream(gpu), *csell, slices, count);
        });
    SPMV__TRY(check_launch(PLAN, err));
    st = spmv__gpu_download(gpu, lists, count, sizeof *lists, err);
done:
    arena_release(&room);
    return st;
}

spmv_status plan(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A, const spmv_kernel_options *,
                 spmv_error *err)
{
    const uint64_t slices = (uint64_t)csell_slices(&A->shape.csell);
    uint64_t lists = slices; /* where there is no memory to count them */
    csell_plan *plan = NULL;
    int multiprocessors = 0;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &multiprocessors, err));
    st = find_lists(&lists, gpu, A, err);
    if (st != SPMV_SUCCESS && st != SPMV_ERROR_CUDA_MALLOC) goto done;
    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    *plan = {lists * FEW_LISTS > slices ? csell_many_lists : csell_few_lists, multiprocessors};
    *out = plan;
done:
    return st;
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const csell_plan *plan = (const csell_plan *)run->plan;
    plan->enqueue(run, plan->multiprocessors);
    return check_launch("csell", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csell_kernel = {plan,          free, launch, CSELL_THREADS,
                                                        CSELL_THREADS, NULL, NULL,   false};
