/* self.h -- the tool that this process is, and how it was called. */
#pragma once

void tool_introduce(const char *name, int argc, char **argv); /* called before all else */

const char *tool_name(void);                   /* "spmv-run" */
const char *const *tool_arguments(int *count); /* as they were given, argv[0] included */
