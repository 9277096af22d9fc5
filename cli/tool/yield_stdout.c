/* yield_stdout.c -- see yield_stdout.h. */
#include "cli/tool/yield_stdout.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"

void tool_yield_stdout(const char **path, const char *what, const common_options *common)
{
    if (*path == NULL || !tool_is_stdio(*path) || common_prints(common)) return;
    tool_warn("%s is not printed: --json - has standard output for itself", what);
    *path = NULL;
}
