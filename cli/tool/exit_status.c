/* exit_status.c -- statuses of the library as those of a process. */
#include "cli/tool/exit_status.h"

static const int exit_statuses[] = {
    [-SPMV_SUCCESS] = 0,
    [-SPMV_ERROR_INVALID_DIMENSION] = 3,
    [-SPMV_ERROR_CUDA_MALLOC] = 5,
    [-SPMV_ERROR_CUDA_MEMCPY] = 6,
    [-SPMV_ERROR_KERNEL_LAUNCH] = 6,
    [-SPMV_ERROR_INVALID_FORMAT] = 3,
    [-SPMV_ERROR_FILE_IO] = 4,
    [-SPMV_ERROR_OUT_OF_MEMORY] = 5,
    [-SPMV_ERROR_INVALID_ARGUMENT] = 2,
    [-SPMV_ERROR_UNSUPPORTED] = 3,
    [-SPMV_ERROR_NO_DEVICE] = 6,
};

int tool_exit_status(spmv_status status)
{
    enum { KNOWN = sizeof exit_statuses / sizeof exit_statuses[0] };
    return status <= 0 && -status < KNOWN ? exit_statuses[-status] : 2;
}

bool tool_cannot_hold(spmv_status status)
{
    return status == SPMV_ERROR_UNSUPPORTED || status == SPMV_ERROR_OUT_OF_MEMORY ||
           status == SPMV_ERROR_CUDA_MALLOC;
}
