/* number_text.h -- numbers for people: each writes into `text` and returns it, or "-" where there
 * is no number. */
#pragma once

#include <stdint.h>

enum { TOOL_NUMBER = 32 };
const char *tool_count_text(int64_t n, char text[TOOL_NUMBER]);         /* "1,643,032" */
const char *tool_number_text(double n, char text[TOOL_NUMBER]);         /* "7.970", "1250" */
const char *tool_time_text(double seconds, char text[TOOL_NUMBER]);     /* "412.3 us" */
const char *tool_bytes_text(double bytes, char text[TOOL_NUMBER]);      /* "13.40 MB" */
const char *tool_duration_text(double seconds, char text[TOOL_NUMBER]); /* "2 min 5 s" */
