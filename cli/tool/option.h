/* option.h -- one table of options per tool, and everything that follows from it.
 *
 * A tool writes its options down once.  Parsing, --help, the OPTIONS part of the man page and the
 * completions for three shells are all read off that table and the shared one (common.h). */
#pragma once

#include "spmv.h"

#include <stddef.h>
#include <stdio.h>

typedef enum option_kind {
    OPTION_FLAG,     /* bool, set to true; takes no argument */
    OPTION_INTEGER,  /* int64_t; 5, 5K, 5M, 5G (powers of 1000) */
    OPTION_REAL,     /* double */
    OPTION_POSITIVE, /* double above 0 */
    OPTION_COMPLEX,  /* spmv_scalar; 2, 1+2i, -0.5i, i, with j as well */
    OPTION_CHOICE,   /* int: the number of a word of `argument`, as in "auto|always|never" */
    OPTION_NAME,     /* const char *: one of names(0), names(1), ... */
    OPTION_NAMES,    /* const char *: several of them with commas between */
    OPTION_INTEGERS, /* option_list: several integers with commas between */
    OPTION_CHOICES,  /* option_list: numbers of several words of `argument` */
    OPTION_WORDS,    /* option_words: anything, as often as it is given */
    OPTION_TEXT,     /* const char *: anything */
    OPTION_FILE      /* const char *: the name of a file */
} option_kind;

enum { OPTION_WORDS_MOST = 64 };
typedef struct option_words {
    int count;
    const char *word[OPTION_WORDS_MOST]; /* into argv */
} option_words;

enum { OPTION_LIST_MOST = 32 };
typedef struct option_list {
    int count;
    int64_t value[OPTION_LIST_MOST]; /* in their order, none twice */
} option_list;

typedef struct option {
    const char *group; /* heading in --help; options of a group stand together */
    char letter;       /* 'k' for -k, 0 for none */
    const char *name;  /* "kernel" for --kernel */
    option_kind kind;
    const char *argument; /* how help names it: "N", "FILE"; NULL for a flag */
    size_t offset;        /* in the record of options, of a member of the type that the kind says */
    const char *help;     /* what it does and [its default]; NULL hides the option from help */
    int64_t low, high;    /* numbers lie in low .. high; both 0: any */
    const char *(*names)(int i); /* NULL at the end of the list */
    const char *list;            /* what prints the names: "--list-kernels"; NULL: nothing does */
    const char *(*meant)(const char *text); /* the name that another word stands for, or NULL */
} option;

/* One row of a table.  Behind `offset_` stands the help, and then, where they are needed, members
 * by name: .low = 1, .high = 100. */
#define OPTION(group_, letter_, name_, kind_, argument_, offset_, ...)                           \
    {                                                                                            \
        .group = group_, .letter = letter_, .name = name_, .kind = kind_, .argument = argument_, \
        .offset = offset_, .help = __VA_ARGS__                                                   \
    }

/* The options of every tool (common.h); they are the first member of the record of each tool. */
typedef struct common_options common_options;

typedef struct tool {
    const char *name;                    /* "spmv-run" */
    const char *operands;                /* "MATRIX", for the usage line */
    const char *(*operand_names)(int i); /* what they may be, NULL at the end; NULL: files */
    const char *summary;                 /* one sentence without the period */
    const char *examples[3];
    const option *options; /* [option_count], beside those of common.h */
    int option_count;
    const char *unused; /* shared options that mean nothing to it: " device seed "; NULL: none */
    bool ranks;         /* several processes of it may work together under mpirun */
} tool;

/* Words of the command line that are no options, in their order. */
typedef struct operands {
    int count;
    const char **word; /* [count], into argv; free(word) */
} operands;

/* Returns option i of the tool, its own first, then the shared ones that it uses and has not under
 * the same name; NULL at the end. */
const option *option_at(const tool *t, int i);

/* Read the command line into the record that begins with *options and holds the defaults.
 *
 * Understands --name=value, --name value, -kvalue, -k value, bundled flags (-qv), options after
 * operands, and "--" as the end of the options.  A shortened name is not accepted.
 * Errors: INVALID_ARGUMENT with a sentence that says what would be right, OUT_OF_MEMORY. */
spmv_status option_parse(const tool *t, int argc, char **argv, common_options *options,
                         operands *out, spmv_error *err);

/* Returns whether the command line has set this member of the record that begins with *options, be
 * it to its default. */
bool option_given(const common_options *options, const void *member);

/* Store one value in *out, of the type that the kind says; the sentence of a failure names the
 * option as `shown`. */
spmv_status option_store(const option *o, void *out, const char *shown, const char *text,
                         spmv_error *err);

void option_usage(const tool *t, FILE *out);        /* one line */
void option_help(const tool *t, FILE *out);         /* all that --help shows */
void option_introduction(const tool *t, FILE *out); /* the beginning of that */
void option_man(const tool *t, FILE *out);          /* the OPTIONS section of the man page */
void option_complete_bash(const tool *t, FILE *out);
void option_complete_zsh(const tool *t, FILE *out);
void option_complete_fish(const tool *t, FILE *out);

/* Copy the next of several words, which commas divide, to `word`; a longer one is cut off.  *rest
 * becomes what is left of them, NULL after the last.  Returns false where nothing was left. */
enum { OPTION_WORD_SIZE = 64 };
bool option_next_word(const char **rest, char word[OPTION_WORD_SIZE]);

/* Returns word i of "auto|always|never", which ends after *length characters; NULL past the
 * last. */
const char *option_word(const char *words, int i, int *length);
