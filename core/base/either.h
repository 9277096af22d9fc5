/* either.h -- functions that are the same on the CPU and on a GPU. */
#pragma once

#ifdef __CUDACC__
#define SPMV__EITHER __host__ __device__
#else
#define SPMV__EITHER
#endif
