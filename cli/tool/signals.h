/* signals.h -- how the process ends. */
#pragma once

#include "cli/tool/fail.h"

/* Set what signals, and libraries that call exit(), do from here on. */
void tool_catch_ends(void);

/* The tool is about to end by itself. */
void tool_expect_exit(void);

void tool_exit(int exit_status) TOOL_NORETURN; /* ends it */
