/* exit_status_test.c -- the numbers that scripts rely on: input 3, files 4, memory 5, device 6. */
#include "cli/tool/exit_status.h"

#include <criterion/criterion.h>

Test(exit_status, one_for_each_kind_of_failure)
{
    static const struct {
        spmv_status status;
        int expected;
    } cases[] = {
        {SPMV_SUCCESS, 0},
        {SPMV_ERROR_INVALID_ARGUMENT, 2},
        {SPMV_ERROR_INVALID_DIMENSION, 3},
        {SPMV_ERROR_INVALID_FORMAT, 3},
        {SPMV_ERROR_UNSUPPORTED, 3},
        {SPMV_ERROR_FILE_IO, 4},
        {SPMV_ERROR_OUT_OF_MEMORY, 5},
        {SPMV_ERROR_CUDA_MALLOC, 5},
        {SPMV_ERROR_CUDA_MEMCPY, 6},
        {SPMV_ERROR_KERNEL_LAUNCH, 6},
        {SPMV_ERROR_NO_DEVICE, 6},
        {(spmv_status)-99, 2},
        {(spmv_status)1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert_eq(tool_exit_status(cases[i].status), cases[i].expected, "%d",
                     (int)cases[i].status);
}
