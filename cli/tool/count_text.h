/* count_text.h -- large integers for people. */
#pragma once

#include <stdint.h>

/* Writes "1,643,032", and returns it. */
enum { TOOL_COUNT = 32 };
const char *tool_count_text(int64_t n, char text[TOOL_COUNT]);
