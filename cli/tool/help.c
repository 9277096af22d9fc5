/* help.c -- the option tables as text: --help and the OPTIONS section of the man page. */
#include "cli/tool/option.h"

#include <string.h>

enum { TEXT_COLUMN = 34, WIDTH = 80 };

void option_usage(const tool *t, FILE *out)
{
    fprintf(out, "Usage: %s [OPTION...] %s\n", t->name, t->operands);
}

/* Print words, breaking lines before WIDTH; continuation lines begin at TEXT_COLUMN. */
static void print_wrapped(const char *text, FILE *out)
{
    int column = TEXT_COLUMN;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > TEXT_COLUMN && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
        } else if (column > TEXT_COLUMN) {
            column += fprintf(out, " ");
        }
        column += fprintf(out, "%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void print_option(const option *o, FILE *out)
{
    int column = o->letter != 0 ? fprintf(out, "  -%c, ", o->letter) : fprintf(out, "      ");
    column += fprintf(out, "--%s%s%s", o->name, o->argument != NULL ? " " : "",
                      o->argument != NULL ? o->argument : "");
    if (column + 2 > TEXT_COLUMN)
        fprintf(out, "\n%*s", TEXT_COLUMN, "");
    else
        fprintf(out, "%*s", TEXT_COLUMN - column, "");
    print_wrapped(o->help, out);
}

static void print_beginning(const tool *t, FILE *out)
{
    option_usage(t, out);
    fprintf(out, "%s.\n\nExamples:\n", t->summary);
    for (size_t i = 0; i < sizeof t->examples / sizeof t->examples[0]; i++)
        fprintf(out, "  %s\n", t->examples[i]);
}

void option_introduction(const tool *t, FILE *out)
{
    print_beginning(t, out);
    fprintf(out, "\n%s --help shows all options.\n", t->name);
}

void option_help(const tool *t, FILE *out)
{
    const option *o;
    const char *group = "";

    print_beginning(t, out);
    for (int i = 0; (o = option_at(t, i)) != NULL; i++) {
        if (o->help == NULL) continue;
        if (strcmp(group, o->group) != 0) fprintf(out, "\n%s:\n", o->group);
        group = o->group;
        print_option(o, out);
    }
}

/* roff reads a plain hyphen as a typographic one: \- keeps options fit for copying. */
static void print_roff(const char *text, FILE *out)
{
    for (; *text != '\0'; text++)
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
}

/* Words in capitals and lists of choices are set in italics. */
void option_man(const tool *t, FILE *out)
{
    const option *o;
    const char *group = "";

    fputs(".SH OPTIONS\n", out);
    for (int i = 0; (o = option_at(t, i)) != NULL; i++) {
        if (o->help == NULL) continue;
        if (strcmp(group, o->group) != 0) fprintf(out, ".SS %s\n", o->group);
        group = o->group;
        fputs(".TP\n", out);
        if (o->letter != 0) fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
        fputs("\\fB\\-\\-", out);
        print_roff(o->name, out);
        fputs("\\fR", out);
        if (o->argument != NULL) {
            fputs(" \\fI", out);
            print_roff(o->argument, out);
            fputs("\\fR", out);
        }
        fputc('\n', out);
        print_roff(o->help, out);
        fputs(".\n", out);
    }
}
