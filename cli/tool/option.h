/* option.h -- one table of options per tool, and everything that follows from it.
 *
 * A tool writes its options down once.  Parsing, --help, the OPTIONS part of the man page and the
 * completions for three shells are all read off that table and the shared one (common.h). */
#ifndef SPMV_CLI_TOOL_OPTION_H
#define SPMV_CLI_TOOL_OPTION_H

#include "spmv.h"

#include <stdio.h>

typedef enum option_kind {
    OPTION_FLAG,    /* bool, set to true; takes no argument */
    OPTION_INTEGER, /* int64_t; 5, 5K, 5M, 5G (powers of 1000) */
    OPTION_REAL,    /* double */
    OPTION_COMPLEX, /* spmv_scalar; 2, 1+2i, -0.5i, i, with j as well */
    OPTION_CHOICE,  /* int: which of the words of `argument`, as in "auto|always|never" */
    OPTION_NAME,    /* const char *: one of names(0), names(1), ... */
    OPTION_NAMES,   /* const char *: several of them with commas between */
    OPTION_WORDS,   /* option_words: anything, as often as it is given */
    OPTION_TEXT,    /* const char *: anything */
    OPTION_FILE     /* const char *: the name of a file */
} option_kind;

enum { OPTION_WORDS_MOST = 64 };
typedef struct option_words {
    int count;
    const char *word[OPTION_WORDS_MOST]; /* into argv */
} option_words;

typedef struct option {
    const char *group; /* heading in --help; options of a group stand together */
    char letter;       /* 'k' for -k, 0 for none */
    const char *name;  /* "kernel" for --kernel */
    option_kind kind;
    const char *argument; /* how help names it: "N", "FILE"; NULL for a flag */
    void *value;       /* where it is stored, of the type that the kind says; holds the default */
    const char *help;  /* what it does and [its default]; NULL hides the option from help */
    int64_t low, high; /* numbers lie in low .. high; both 0: any */
    const char *(*names)(int i); /* NULL at the end of the list */
} option;

/* One row of a table.  What stands behind `value` is the help, and then, where they are needed,
 * members by name: .low = 1, .high = 100. */
#define OPTION(group_, letter_, name_, kind_, argument_, value_, ...)                            \
    {                                                                                            \
        .group = group_, .letter = letter_, .name = name_, .kind = kind_, .argument = argument_, \
        .value = value_, .help = __VA_ARGS__                                                     \
    }

typedef struct tool {
    const char *name;     /* "spmv-run" */
    const char *operands; /* "MATRIX", for the usage line */
    const char *summary;  /* one sentence without the period */
    const char *examples[3];
    const option *options; /* [option_count], beside those of common.h */
    int option_count;
} tool;

/* Words of the command line that are no options, in their order. */
typedef struct operands {
    int count;
    const char **word; /* [count], into argv; free(word) */
} operands;

/* Option i of the tool, its own first, then the shared ones; NULL at the end. */
const option *option_at(const tool *t, int i);

/* Read the command line into the places that the tables name.
 *
 * Understands --name=value, --name value, -kvalue, -k value, bundled flags (-qv), options after
 * operands, and "--" as the end of the options.  A shortened name is not accepted.
 * Errors: INVALID_ARGUMENT with a sentence that says what would be right, OUT_OF_MEMORY. */
spmv_status option_parse(const tool *t, int argc, char **argv, operands *out, spmv_error *err);

/* Did the command line set the option with this value?  Also to what it is without. */
bool option_given(const void *value);

/* Store one value; the sentence of a failure names the option as `shown`. */
spmv_status option_store(const option *o, const char *shown, const char *text, spmv_error *err);

void option_usage(const tool *t, FILE *out); /* one line */
void option_help(const tool *t, FILE *out);  /* all that --help shows */
void option_man(const tool *t, FILE *out);   /* the OPTIONS section of the man page */
void option_complete_bash(const tool *t, FILE *out);
void option_complete_zsh(const tool *t, FILE *out);
void option_complete_fish(const tool *t, FILE *out);

/* Word i of "auto|always|never", without terminator in *length; NULL past the last. */
const char *option_word(const char *words, int i, int *length);

#endif
