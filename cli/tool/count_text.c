/* count_text.c -- large integers for people. */
#include "cli/tool/count_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *tool_count_text(int64_t n, char text[TOOL_COUNT])
{
    char digits[TOOL_COUNT];
    const int length = snprintf(digits, sizeof digits, "%" PRId64, n);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-') *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}
