/* expected_status_test.h -- files of expectations name a failure by what the tools exit with. */
#pragma once

#include "spmv.h"

static inline int expected_status(spmv_status st)
{
    switch (st) {
    case SPMV_ERROR_INVALID_FORMAT:
    case SPMV_ERROR_INVALID_DIMENSION:
    case SPMV_ERROR_UNSUPPORTED:
        return 3;
    case SPMV_ERROR_FILE_IO:
        return 4;
    case SPMV_ERROR_OUT_OF_MEMORY:
        return 5;
    case SPMV_ERROR_INVALID_ARGUMENT:
        return 2;
    default:
        return -1;
    }
}
