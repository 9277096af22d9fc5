/* svg.c -- what the pictures share: head, style and text of an SVG. */
#include "cli/picture/svg.h"
#include "cli/text/utf8.h"

enum {
    TITLE = 255,
    LETTER = 10 /* width of a letter of the title, about */
};

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
        else if (*text == '>') /* "]]>" must not stand in a text */
            fputs("&gt;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else if (length == 0 || (unsigned char)*text < 0x20 ||
                 utf8_decode(text, length) == 0xfffe || utf8_decode(text, length) == 0xffff)
            fputc('?', out);
        else
            fwrite(text, 1, (size_t)length, out);
        text += length > 0 ? length : 1;
    }
}

void svg_begin(const char *title, int width, int height, const char *light, const char *dark,
               FILE *out)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<title>",
            width, height, width, height);
    svg_write_text(title, TITLE, out);
    fprintf(out,
            "</title>\n<style>text{font-family:Helvetica,Arial,sans-serif;fill:#1b1f24}"
            ".s{fill:#59636e}.g{fill:#fff}.p{fill:#fff;stroke:#8c959f}"
            ".t{stroke:#d5dae0;fill:none}.c{stroke:#1b1f24;fill:none;stroke-width:1.5}"
            ".d{stroke-dasharray:5 4}%s\n"
            "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9aa4af}.g{fill:#0d1117}"
            ".p{fill:#12181f;stroke:#6e7681}.t{stroke:#2b323b}.c{stroke:#e6edf3}%s}</style>\n",
            light, dark);
    fprintf(out, "<path class=\"g\" d=\"M0 0h%dv%dH0z\"/>\n", width, height);
}

void svg_heading(const char *title, const char *below, int width, FILE *out)
{
    fprintf(out, "<text x=\"%d\" y=\"30\" font-size=\"18\" font-weight=\"bold\">", SVG_MARGIN);
    svg_write_text(title, (width - 2 * SVG_MARGIN) / LETTER, out);
    fprintf(out, "</text>\n<text class=\"s\" x=\"%d\" y=\"50\" font-size=\"13\">", SVG_MARGIN);
    svg_write_text(below, TITLE, out);
    fputs("</text>\n", out);
}
