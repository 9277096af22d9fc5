/* compare.h -- two sets of results, measured by measured. */
#pragma once

#include "cli/tool/option.h"

/* Print how the results of the second file differ from those of the first.
 *
 *   threshold  share of the time by which a result is slower or faster, at least
 *   across     results of different machines are compared, too
 *
 * Returns what main must return: 1 where something is slower, wrong or missing. */
int bench_compare(const operands *files, double threshold, bool across);
