/* signals.h -- how the process ends. */
#pragma once

#include "cli/tool/fail.h"

/* Set what signals, and libraries that call exit(), do from here on. */
void tool_catch_ends(void);

/* From here on the first SIGINT or SIGTERM only asks for the end, and says `sentence`, which is
 * static; a second one, half a second later, ends the tool at once.  One that is ignored stays so.
 */
void tool_defer_end(const char *sentence);
bool tool_end_wanted(void);   /* a signal has asked */
void tool_end_deferred(void); /* as the signal says; returns where none has asked */

/* The tool is about to end by itself. */
void tool_expect_exit(void);

void tool_exit(int exit_status) TOOL_NORETURN; /* ends it */
