/* yield_stdout.h -- standard output is for the record where --json - asks for it. */
#pragma once

#include "cli/tool/common.h"

/* An output that was to go to standard output, too, becomes NULL, and a warning tells that `what`
 * is not printed. */
void tool_yield_stdout(const char **path, const char *what, const common_options *common);
