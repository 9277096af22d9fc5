/* omp_test.h -- for a test, as many threads as it wants, or one where OpenMP is not. */
#pragma once

#ifdef _OPENMP
#include <omp.h>
#else
#define omp_set_num_threads(threads) (void)(threads)
#endif
