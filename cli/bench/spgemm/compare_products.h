/* compare_products.h -- is a product what it must be? */
#pragma once

#include "cli/bench/spgemm/bench_product.h"

/* `wrong` of the verification counts entries of C: those that are off by too much, those that are
 * missing, and those that should not be there; the last two are mismatches, as is a number that is
 * not finite where it must be, or the other way round. */
typedef struct product_check {
    spmv_verification verification;
    bool equal_bits; /* all of C is, bit by bit */
} product_check;

/* Compare C with what the CPU made.
 *
 *   C      CSR on the host, of any values; its columns are sorted within rows on return
 *   exact  values must have the same bits.  Otherwise an entry may be off by n eps times its
 *          element of |A| |B|, where n is the number of entries in that row of A and eps the
 *          distance from 1 to the next number of the precision (twice that with complex values),
 *          and by n times the smallest normal number, since libraries may take less for 0.  Where
 *          |A| |B| is beyond the range of the precision, a sum may have overflowed.
 *
 * Errors: OUT_OF_MEMORY, those of bench_product_find_magnitudes.  Time O(nnz). */
spmv_status bench_compare_product(bench_product *p, spmv_matrix *C, bool exact, product_check *out,
                                  spmv_error *err);
