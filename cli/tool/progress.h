/* progress.h -- what a phase shows while it lasts. */
#pragma once

#include "cli/tool/common.h"

/* Take over from here on what the options say: --progress and --quiet. */
void tool_set_progress(const common_options *common);

/* Callbacks for the library's options, which tell how far the current phase is. */
spmv_progress_callback tool_progress_bytes, tool_progress_iterations;

/* Say in front of each phase from here on which item of a batch is at hand, from 0, and how long
 * the rest will take, where `done` of `count` items are done; nothing where count is 1. */
void tool_progress_batch(int item, int count, double done);

/* A phase calls these. */
void tool_progress_begin(const char *title);
void tool_progress_end(void);
