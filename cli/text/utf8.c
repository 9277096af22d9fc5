/* utf8.c -- telling text from bytes that only look like it. */
#include "cli/text/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

unsigned utf8_decode(const char *text, int length)
{
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned c = (unsigned char)text[0] & lead_mask[length];
    for (int i = 1; i < length; i++) c = c << 6 | ((unsigned char)text[i] & 0x3f);
    return c;
}

int utf8_length(const char *text)
{
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char lead = (unsigned char)text[0];
    const int length = lead < 0x80   ? 1
                       : lead < 0xc0 ? 0
                       : lead < 0xe0 ? 2
                       : lead < 0xf0 ? 3
                       : lead < 0xf8 ? 4
                                     : 0;
    for (int i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0; /* also stops at the terminator */
    if (length > 1) {
        const unsigned c = utf8_decode(text, length);
        if (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return 0;
    }
    return length;
}

static bool is_steering(unsigned c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200e && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

int utf8_show(const char **text, char shown[UTF8_SHOWN])
{
    const char *from = *text;
    const int length = utf8_length(from), step = length > 0 ? length : 1;
    *text += step;
    if (length > 0 && !is_steering(utf8_decode(from, length))) {
        memcpy(shown, from, (size_t)length);
        shown[length] = '\0';
        return 1;
    }
    for (int i = 0; i < step; i++)
        snprintf(shown + 4 * i, UTF8_SHOWN - 4 * (size_t)i, "\\x%02x", (unsigned char)from[i]);
    return 4 * step;
}

int utf8_columns(const char *text)
{
    char shown[UTF8_SHOWN];
    int columns = 0;
    while (*text != '\0') columns += utf8_show(&text, shown);
    return columns;
}
