/* csell_few_lists.cu -- the kernel of csell for matrices with hardly a list of columns, see
 * csell_row_sums.cuh. */
#include "cuda/kernels/csell/csell_row_sums.cuh"

void spmv::csell_few_lists(const spmv__launch *run, int multiprocessors)
{
    launch_types<false>(run, multiprocessors);
}
