/* compare.h -- spmv-bench --compare. */
#pragma once

#include "cli/tool/common.h"

/* Show how the results of the second file differ from those of the first.
 *
 *   format  of bench_exporters; --output and --json of `common` say where to
 *
 * For threshold and across see comparison.h.  Returns what main must return: 1 where something is
 * slower, wrong or missing. */
int bench_compare(const operands *files, const common_options *common, int format, double threshold,
                  bool across);
