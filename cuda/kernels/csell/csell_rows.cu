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

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csell";
PLAN_LIMIT(FEW_LISTS, 64);  /* slices for each that has lists, where these are looked up */
PLAN_LIMIT(MOST_STEPS, 64); /* that it has then */

struct csell_plan {
    void (*enqueue)(const spmv__launch *run, int multiprocessors);
    int multiprocessors;
};

/* Says whether slices with lists are few, and short; I is the type of offsets. */
template <class I>
spmv_status look_for_lists(bool *few, spmv__gpu *gpu, const spmv_csell *A, spmv_error *err)
{
    const int64_t slices = csell_slices(A);
    int32_t *encoding = NULL;
    int64_t lists = 0;
    I *slice_ptr = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&encoding, slices, sizeof *encoding, PLAN, err));
    SPMV__TRY(
        spmv__gpu_download(gpu, encoding, A->encoding, slices * (int64_t)sizeof *encoding, err));
    for (int64_t s = 0; s < slices; s++) lists += encoding[s] >= SPMV_CSELL_LISTS;
    *few = lists <= slices / FEW_LISTS;
    if (lists == 0 || !*few) goto done;
    SPMV__TRY(spmv__alloc(&slice_ptr, slices + 1, sizeof *slice_ptr, PLAN, err));
    SPMV__TRY(spmv__gpu_download(gpu, slice_ptr, A->slice_ptr,
                                 (slices + 1) * (int64_t)sizeof *slice_ptr, err));
    for (int64_t s = 0; s < slices && *few; s++)
        *few = encoding[s] < SPMV_CSELL_LISTS ||
               slice_ptr[s + 1] - slice_ptr[s] <= MOST_STEPS * A->slice;
done:
    free(encoding);
    free(slice_ptr);
    return st;
}

spmv_status plan(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A, const spmv_kernel_options *,
                 spmv_error *err)
{
    const spmv_csell *csell = &A->shape.csell;
    csell_plan *plan = NULL;
    int multiprocessors = 0;
    bool few = false;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &multiprocessors, err));
    SPMV__TRY(A->narrow ? look_for_lists<int32_t>(&few, gpu, csell, err)
                        : look_for_lists<int64_t>(&few, gpu, csell, err));
    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    *plan = {few ? csell_few_lists : csell_many_lists, multiprocessors};
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
