/* matio_api.h -- matio, which is loaded when the first file needs it: it brings HDF5. */
#pragma once

#include "core/base/load_library.h"

#include <matio.h>

/* The functions that matio.c uses. */
/* clang-format off */
#define MATIO_API(X) \
    X(Mat_Open) X(Mat_Close) X(Mat_CreateVer) X(Mat_VarCreate) X(Mat_VarFree) \
    X(Mat_VarGetNumberOfFields) X(Mat_VarGetStructFieldnames) X(Mat_VarGetStructFieldByIndex)   \
    X(Mat_VarReadDataAll) X(Mat_VarReadNextInfo) X(Mat_VarWrite)
/* clang-format on */

SPMV__LIBRARY(matio, MATIO_API, SPMV_MATIO_SONAME)
