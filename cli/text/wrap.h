/* wrap.h -- text that fits the terminal: lines end between words. */
#pragma once

#include <stdio.h>

typedef struct wrap {
    FILE *out;
    int width;        /* columns of a line */
    int indent;       /* blanks before a line that goes on */
    const char *more; /* after a line that goes on: "", or " \\" in a command */
} wrap;

/* Returns the columns that text has on this stream: what COLUMNS says, else those of the terminal,
 * from 40 to 100; 80 where it is none. */
int wrap_width(FILE *out);

/* Print words, of which the first is to begin at `column`, and end the line.  A word that is longer
 * than a line keeps one for itself. */
void wrap_words(const wrap *how, int column, const char *text);
