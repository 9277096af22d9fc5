/* measure_product.h -- one method on the operands of one matrix: verified, timed, its memory. */
#pragma once

#include "cli/bench/measure/candidates.h"
#include "cli/bench/measure/take_samples.h"
#include "cli/bench/spgemm/compare_products.h"

/* All about one candidate on one matrix, before it becomes a record. */
typedef struct product_measurement {
    bench_product *product;
    const bench_candidate *candidate;
    spmv_device_info device;
    double copy_s; /* of A and B to the GPU; 0 where they were there */
    double verify_s, measure_s;
    bench_times times;    /* whole calls, with what they allocate */
    int64_t nnz;          /* of C */
    int64_t memory_bytes; /* of the GPU, the most beside A and B; -1: not known */
    bool verified;
    product_check check;
    const char *checked; /* "first" or "last": the product that this is about */
} product_measurement;

/* Measure a method: the operands are made by the first measurement of a matrix.
 *
 * The first product is compared, and its memory is looked at, which takes time: it is none of the
 * samples.  A method has a context of its own, so that no workspace is there before.  The last
 * product is compared, too.
 * Errors: those of the method and of bench_product_make. */
spmv_status bench_measure_product(product_measurement *out, bench_product *p, bench_matrix *m,
                                  const bench_candidate *s, spmv_error *err);
