/* product_limits.h -- limits between the ways in which a GPU makes rows of C that tests change, to
 * have small matrices made in all ways. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spmv__product_limits {
    /* With so many products in all and fewer, what takes time is to start kernels: rows of several
     * kinds are made in one way. */
    int64_t few;
    int64_t spread; /* products of a row, from which all blocks may share it */
    int64_t window; /* words of 64 columns that a block marks at a time, at most */
    int64_t narrow; /* products in all, up to which offsets of rows are kept in 32 bits: at
                       most what a narrow matrix may hold */
} spmv__product_limits;
extern spmv__product_limits spmv__product_limits_now;

#ifdef __cplusplus
}
#endif
