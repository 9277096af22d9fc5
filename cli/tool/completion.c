/* completion.c -- the option tables as completions for bash, zsh and fish. */
#include "cli/tool/option.h"

#include <string.h>

/* Print text for the inside of single quotes; `special` is escaped by a backslash. */
static void print_quoted(const char *text, int length, const char *special, FILE *out)
{
    for (; length > 0; text++, length--) {
        if (*text == '\'')
            fputs("'\\'", out);
        else if (strchr(special, *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_help(const option *o, const char *special, FILE *out)
{
    print_quoted(o->help, (int)strlen(o->help), special, out);
}

/* Returns whether several words may stand after an option, with commas between. */
static bool takes_list(const option *o)
{
    return o->kind == OPTION_NAMES || o->kind == OPTION_CHOICES;
}

/* Returns whether there are words that may stand after an option; else it takes free text. */
static bool has_words(const option *o)
{
    return o->names != NULL || (o->argument != NULL && strchr(o->argument, '|') != NULL);
}

static void print_words(const option *o, const char *special, FILE *out)
{
    const char *word;
    int length;
    if (!has_words(o)) return;
    if (o->names != NULL) {
        for (int i = 0; (word = o->names(i)) != NULL; i++) {
            if (i > 0) fputc(' ', out);
            print_quoted(word, (int)strlen(word), special, out);
        }
        return;
    }
    /* A choice takes one of a list of words, and some texts do, too: "ones|index|FILE". */
    for (int i = 0, n = 0; (word = option_word(o->argument, i, &length)) != NULL; i++)
        if (word[0] < 'A' || word[0] > 'Z') { /* FILE and N are no words */
            if (n++ > 0) fputc(' ', out);
            print_quoted(word, length, special, out);
        }
}

/* Print the words that the operands may be. */
static void print_operands(const tool *t, FILE *out)
{
    for (int i = 0; t->operand_names(i) != NULL; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", t->operand_names(i));
}

/* The function is named after the tool, with _ for the - after "spmv". */
void option_complete_bash(const tool *t, FILE *out)
{
    const option *o;
    fprintf(out, "_%.4s_%s()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]}", t->name, t->name + 5);
    fputs(" prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    [[ $cur == = ]] && cur=\n"
          "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    local before= last=$cur\n"
          "    case $prev in\n",
          out);
    for (int i = 0; (o = option_at(t, i)) != NULL; i++) {
        if (o->help == NULL || o->kind == OPTION_FLAG) continue;
        fputs("    ", out);
        if (o->letter != 0) fprintf(out, "-%c|", o->letter);
        fprintf(out, "--%s) words='", o->name);
        print_words(o, "", out);
        fprintf(out, "'%s%s ;;\n", has_words(o) || o->kind == OPTION_FILE ? "" : "; return",
                takes_list(o) ? "; last=${cur##*,} before=${cur%\"${cur##*,}\"}" : "");
    }
    fputs("    *) words='", out);
    if (t->operand_names != NULL) print_operands(t, out);
    fputs("'\n       [[ $cur == -* ]] && words='", out);
    for (int i = 0; (o = option_at(t, i)) != NULL; i++)
        if (o->help != NULL) fprintf(out, "%s--%s", i > 0 ? " " : "", o->name);
    fprintf(out,
            "' ;;\n    esac\n"
            "    COMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- \"$last\"))\n"
            "}\ncomplete -o default -F _%.4s_%s %s\n",
            t->name, t->name + 5, t->name);
}

/* Print one line of zsh's _arguments: '--name=[help]:argument:action'. */
static void print_zsh_option(const option *o, const char *dashes, const char *name, FILE *out)
{
    fprintf(out, "    '%s%s%s[", dashes, name,
            o->kind == OPTION_FLAG ? ""
            : dashes[1] != '\0'    ? "="
                                   : "+");
    print_help(o, "[]\\:", out);
    fputc(']', out);
    if (o->kind != OPTION_FLAG) {
        fputs(":value:", out);
        if (o->kind == OPTION_FILE)
            fputs("_files", out);
        else {
            fputs(takes_list(o) ? "_sequence compadd - " : "(", out);
            print_words(o, ":", out); /* which would end the action */
            if (!takes_list(o)) fputc(')', out);
        }
    }
    fputs("' \\\n", out);
}

void option_complete_zsh(const tool *t, FILE *out)
{
    const option *o;
    fprintf(out, "#compdef %s\n\n_arguments -s \\\n", t->name);
    for (int i = 0; (o = option_at(t, i)) != NULL; i++) {
        const char letter[] = {o->letter, '\0'};
        if (o->help == NULL) continue;
        if (o->letter != 0) print_zsh_option(o, "-", letter, out);
        print_zsh_option(o, "--", o->name, out);
    }
    if (t->operand_names == NULL) {
        fputs("    '*:file:_files'\n", out);
        return;
    }
    fputs("    '*:word:(", out);
    print_operands(t, out);
    fputs(")'\n", out);
}

static void begin_fish_option(const tool *t, const option *o, FILE *out)
{
    fprintf(out, "complete -c %s", t->name);
    if (o->letter != 0) fprintf(out, " -s %c", o->letter);
    fprintf(out, " -l %s", o->name);
}

/* The words have a line of their own, before that of the option, so that its help is not shown
 * after each of them. */
static void print_fish_option(const tool *t, const option *o, FILE *out)
{
    if (has_words(o)) {
        begin_fish_option(t, o, out);
        fputs(takes_list(o) ? " -x -a '(__fish_append , " : " -x -a '", out);
        print_words(o, "", out);
        fputs(takes_list(o) ? ")'\n" : "'\n", out);
    }
    begin_fish_option(t, o, out);
    fputs(o->kind == OPTION_FLAG ? "" : o->kind == OPTION_FILE ? " -r -F" : " -x", out);
    fputs(" -d '", out);
    print_help(o, "", out);
    fputs("'\n", out);
}

void option_complete_fish(const tool *t, FILE *out)
{
    const option *o;
    for (int i = 0; (o = option_at(t, i)) != NULL; i++)
        if (o->help != NULL) print_fish_option(t, o, out);
    if (t->operand_names == NULL) return;
    fprintf(out, "complete -c %s -f -a '", t->name);
    print_operands(t, out);
    fputs("'\n", out);
}
