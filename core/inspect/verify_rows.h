/* verify_rows.h -- elements of y beside a reference that shares nothing with the multiplications.
 */
#pragma once

#include "core/matrix/value.h"
#include "core/matrix/vectors.h"
#include "core/matrix/format.h"

/* The product that is verified, and how its sums and values were rounded. */
typedef struct spmv__verification_job {
    const spmv_matrix *A;
    spmv_scalar alpha, beta;
    const spmv_dense *x, *y0, *y;
    double sums, values; /* what a rounding costs; values 0: they were not rounded */
} spmv__verification_job;

/* A compensated sum: its value is sum + lost. */
typedef struct spmv__real_sum {
    double sum, lost;
} spmv__real_sum;

/* The reference of an element. */
typedef struct spmv__row_sum {
    spmv__real_sum re, im;
    double size;   /* sum of absolute terms, no factor below where its rounding is relative to it */
    double finite; /* the same of those whose factors are finite */
    int64_t terms; /* products, or sums of such that were added */
    bool odd;      /* one of them is NaN or infinite because a factor is */
} spmv__row_sum;

/* The largest error of a rounding to this type, relative to the number. */
double spmv__rounding_unit(spmv_type type);

/* Rows begin .. end - 1 of a column: what is verified at a time.  Where A is not in CSR, they are
 * all rows. */
typedef struct spmv__row_stretch {
    int64_t begin, end, column;
    spmv_verification found;
} spmv__row_stretch;

/* There is room for the sum of each row. */
void spmv__verify_rows(const spmv__verification_job *j, spmv__row_stretch *s, spmv__row_sum *room);
