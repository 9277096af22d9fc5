/* svg.c -- what the pictures share. */
#include "svg.h"
#include "utf8.h"

void svg_write_text(const char *text, int room, FILE *out)
{
    for (; *text != '\0' && room > 0; room--) {
        const int length = utf8_length(text);
        const char *cut = room == 1 && text[length > 0 ? length : 1] != '\0' ? "\xe2\x80\xa6" : "";
        if (*cut != '\0')
            fputs(cut, out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (length == 0 || (unsigned char)*text < 0x20 ||
                 utf8_decode(text, length) == 0xfffe || utf8_decode(text, length) == 0xffff)
            fputc('?', out);
        else
            fwrite(text, 1, (size_t)length, out);
        text += length > 0 ? length : 1;
    }
}
