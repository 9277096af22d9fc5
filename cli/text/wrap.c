/* wrap.c -- text that fits the terminal. */
#include "cli/text/wrap.h"
#include "cli/text/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NARROWEST = 40, WIDEST = 100 };

int wrap_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    const long told = columns != NULL ? strtol(columns, NULL, 10) : 0;
    const long width = told > 0 ? told : terminal_width(fileno(out));
    return (int)(width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width);
}

void wrap_words(const wrap *how, int column, const char *text)
{
    const int room = how->width - (int)strlen(how->more);
    for (bool first = true; *text != '\0'; first = false) {
        const int length = (int)strcspn(text, " ");
        if (!first && column + 1 + length > room) {
            fprintf(how->out, "%s\n%*s", how->more, how->indent, "");
            column = how->indent;
        } else if (!first) {
            column += fprintf(how->out, " ");
        }
        column += fprintf(how->out, "%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', how->out);
}
