/* utf8.c -- telling text from bytes that only look like it. */
#include "utf8.h"

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
