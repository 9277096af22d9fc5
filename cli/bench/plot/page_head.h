/* page_head.h -- what stands above the pictures of the page. */
#pragma once

#include "cli/bench/show/bench_result.h"

#include <stdio.h>

/* The number of a matrix on the page, which is that of its first result. */
int plot_page_number(const bench_results *all, const bench_result *r);

/* Writes where the results come from (command, time, host, device, version), and the summary.
 * Returns false where there is too little memory. */
bool plot_page_head(const bench_results *all, FILE *out);
