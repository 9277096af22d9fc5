/* help.c -- the option tables as text: --help and the OPTIONS section of the man page. */
#include "cli/tool/option.h"
#include "cli/text/wrap.h"

#include <string.h>

/* Where the text of an option begins: beside its name, or below it where lines are short. */
enum { BESIDE = 34, BELOW = 10, LEAST_BESIDE = 70 };

void option_usage(const tool *t, FILE *out)
{
    const wrap how = {out, wrap_width(out), 4, ""};
    char words[160];
    snprintf(words, sizeof words, "Usage: %s [OPTION...] %s", t->name, t->operands);
    wrap_words(&how, 0, words);
}

static void print_option(const option *o, const wrap *how)
{
    FILE *out = how->out;
    int column = o->letter != 0 ? fprintf(out, "  -%c, ", o->letter) : fprintf(out, "      ");
    column += fprintf(out, "--%s%s%s", o->name, o->argument != NULL ? " " : "",
                      o->argument != NULL ? o->argument : "");
    if (column + 2 > how->indent)
        fprintf(out, "\n%*s", how->indent, "");
    else
        fprintf(out, "%*s", how->indent - column, "");
    wrap_words(how, how->indent, o->help);
}

/* A command that goes on in the next line says so to the shell. */
static void print_beginning(const tool *t, FILE *out)
{
    const wrap sentence = {out, wrap_width(out), 0, ""}, command = {out, wrap_width(out), 6, " \\"};
    char summary[160];
    option_usage(t, out);
    snprintf(summary, sizeof summary, "%s.", t->summary);
    wrap_words(&sentence, 0, summary);
    fputs("\nExamples:\n", out);
    for (size_t i = 0; i < sizeof t->examples / sizeof t->examples[0]; i++) {
        fputs("  ", out);
        wrap_words(&command, 2, t->examples[i]);
    }
}

void option_introduction(const tool *t, FILE *out)
{
    print_beginning(t, out);
    fprintf(out, "\n%s --help shows all options.\n", t->name);
}

void option_help(const tool *t, FILE *out)
{
    const int width = wrap_width(out);
    const wrap how = {out, width, width < LEAST_BESIDE ? BELOW : BESIDE, ""};
    const option *o;
    const char *group = "";

    print_beginning(t, out);
    for (int i = 0; (o = option_at(t, i)) != NULL; i++) {
        if (o->help == NULL) continue;
        if (strcmp(group, o->group) != 0) fprintf(out, "\n%s:\n", o->group);
        group = o->group;
        print_option(o, &how);
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
