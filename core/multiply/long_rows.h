/* long_rows.h -- which rows are so much longer than the others that csr-split keeps them apart:
 * those of more entries than both. */
#pragma once

enum {
    SPMV__ROW_APART = 256, /* entries */
    SPMV__TIMES_APART = 8  /* times as many as the mean */
};
