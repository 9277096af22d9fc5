/* number_by_rank.h -- things that ranks have in any order, numbered rank after rank. */
#pragma once

#include "core/base/base.h"

/* number [n] = the place of each of n things among all, those of rank 0 first and those of a rank
 * in their order; rank [n] says who has it.  begin [size + 1] becomes where those of each rank
 * begin.  Errors: INVALID_ARGUMENT (no such rank). */
spmv_status spmv__number_by_rank(int64_t *number, int64_t *begin, int size, const int32_t *rank,
                                 int64_t n, spmv_error *err);
