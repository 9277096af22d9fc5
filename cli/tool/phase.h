/* phase.h -- the phases of a run, timed. */
#pragma once

#include <stdint.h>

enum { TOOL_PHASES = 16 };
typedef struct tool_phase {
    const char *name; /* "read", "convert", "upload", "multiply", "download", "write" */
    double seconds;
    int64_t bytes; /* 0: not known */
} tool_phase;

/* Begin and end a phase of the work.  It is shown as progress while it lasts, and under -v with
 * time and bytes when it ends.  `name` is static; `subject` (a file, may be NULL) is only shown.
 * Phases do not nest; a second one of the same name adds to the first in the record. */
void tool_phase_begin(const char *name, const char *subject);
void tool_phase_end(int64_t bytes);
int tool_phase_count(void);
const tool_phase *tool_phase_at(int i); /* phases lie one after the other */
