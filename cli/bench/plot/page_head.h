/* page_head.h -- what stands above the pictures of the page. */
#pragma once

#include "cli/bench/show/bench_result.h"

#include <stdio.h>

/* Writes where the results come from (command, time, host, device, version), and the summary.
 * Returns false where there is too little memory. */
bool plot_page_head(const bench_results *all, FILE *out);
