/* bytes_text.c -- numbers of bytes in messages, in the unit that fits. */
#include "core/base/base.h"

#include <stdio.h>

const char *spmv__bytes_text(double bytes, char text[SPMV__BYTES_TEXT])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t i = 0;
    for (; bytes >= 999.95 && i + 1 < sizeof units / sizeof units[0]; i++) bytes /= 1000;
    snprintf(text, SPMV__BYTES_TEXT, "%.4g %s", bytes, units[i]);
    return text;
}
