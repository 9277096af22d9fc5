/* row_lanes.h -- how many threads share a row in csr-vector: for the kernel, and for choosing it.
 *
 * It reads a row in loads of SPMV__WIDTH entries that begin at a multiple of it, and each lane of
 * the group that shares the row has some of them, a batch, in flight: that is one step. */
#pragma once

#include "core/base/either.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SPMV__WIDTH = 4,
    SPMV__BATCH_REAL = 2,    /* of real numbers */
    SPMV__FEW_ROWS = 1 << 17 /* in more the longest row adds no lanes */
};

/* Lanes of a group, a power of two from 2 to 32.  `loads`: that the longest row takes. */
int spmv__row_lanes(int64_t rows, int64_t nnz, int64_t loads, int batch);

int64_t spmv__row_steps(int64_t loads, int lanes, int batch);

/* Loads of SPMV__WIDTH entries that entries begin .. end - 1 take. */
SPMV__EITHER static inline int64_t spmv__row_loads(int64_t begin, int64_t end)
{
    return end > begin ? (end + SPMV__WIDTH - 1) / SPMV__WIDTH - begin / SPMV__WIDTH : 0;
}

/* Loads of SPMV__WIDTH entries that the longest row takes. */
int64_t spmv__longest_loads(const int64_t *row_ptr, int64_t rows);

#ifdef __cplusplus
}
#endif
