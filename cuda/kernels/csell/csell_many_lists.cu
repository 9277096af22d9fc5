/* csell_many_lists.cu -- the kernel of csell for matrices with lists of columns, see
 * csell_row_sums.cuh. */
#include "cuda/kernels/csell/csell_row_sums.cuh"

void spmv::csell_many_lists(const spmv__launch *run, int multiprocessors)
{
    launch_types<true>(run, multiprocessors);
}
