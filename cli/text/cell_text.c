/* cell_text.c -- text of others, such as names of files, as text in a cell: it is no formula, no
 * markup, and no end of the cell. */
#include "cli/text/cell_text.h"
#include "cli/text/utf8.h"

#include <stdbool.h>
#include <string.h>

/* A text that a spreadsheet would take for a formula begins with an apostrophe, which it hides; a
 * sign alone is none.  Line ends and tabs are control characters like others. */
void tool_csv_text(const char *text, FILE *out)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    char shown[UTF8_SHOWN];
    if (quoted) fputc('"', out);
    if (*text != '\0' && strchr("=+-@", *text) != NULL && text[1] != '\0') fputc('\'', out);
    while (*text != '\0') {
        utf8_show(&text, shown);
        fputs(*shown == '"' ? "\"\"" : shown, out);
    }
    if (quoted) fputc('"', out);
}

/* Writes text, and nothing but text: no HTML, link, emphasis, formula or end of a cell. */
void tool_markdown_text(const char *text, FILE *out)
{
    char shown[UTF8_SHOWN];
    while (*text != '\0') {
        utf8_show(&text, shown);
        for (const char *p = shown; *p != '\0'; p++)
            if (*p == '<' || *p == '>' || *p == '&')
                fputs(*p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&amp;", out);
            else
                fprintf(out, strchr("\\`*_[]()#!|~$@", *p) != NULL ? "\\%c" : "%c", *p);
    }
}
