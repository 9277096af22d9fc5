/* bench_product.h -- the operands of the products of one matrix, and what C must be.
 *
 * A square matrix is multiplied with itself, another one with its transpose.  Every method gets the
 * same operands, with values of the precision. */
#pragma once

#include "cli/bench/measure/bench_form.h"

/* All zero is empty. */
typedef struct bench_product {
    bench_matrix *matrix;   /* borrowed; its form is A */
    form transpose;         /* B, where it is not A */
    int64_t products;       /* pairs of entries that are multiplied */
    spmv_matrix expected;   /* the CPU's C; without arrays where nothing is verified */
    spmv_matrix magnitudes; /* |A| |B| in double precision, without arrays until it is wanted */
    bool is_made, has_magnitudes;
} bench_product;

/* Make the operands and, where results are verified, C on the CPU with all threads.  Does nothing
 * where this is done.  Errors: those of spmv_convert_values, spmv_transpose and spmv_spgemm. */
spmv_status bench_product_make(bench_product *p, bench_matrix *m, spmv_error *err);
void bench_product_destroy(bench_product *p);

/* Where they are: A, and B. */
form *bench_product_a(const bench_product *p);
form *bench_product_b(bench_product *p);

/* Make |A| |B|, unless it is there.  Errors: as above. */
spmv_status bench_product_find_magnitudes(bench_product *p, spmv_error *err);
