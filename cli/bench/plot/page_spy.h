/* page_spy.h -- a small picture of the pattern beside the results of each matrix: it travels in the
 * first record of the matrix, so that the page can be made without the file. */
#pragma once

#include "cli/bench/show/bench_result.h"

#include <stdio.h>

/* Put it into a record, as the member `spy`.  Errors: OUT_OF_MEMORY. */
spmv_status page_spy_record(report *record, const spmv_matrix *A, spmv_error *err);

/* Write it for the matrix of a result; nothing where no record has it. */
void page_spy_write(const bench_results *all, const bench_result *r, FILE *out);

void page_spy_style(FILE *out); /* style rules, once a page */
