/* suggest.h -- "did you mean". */
#pragma once

/* Start with {.word = what was typed}, consider every name that would have been right; `name` is
 * then the one probably meant, or NULL. */
typedef struct suggestion {
    const char *word, *name;
    int rank; /* how near `name` is, lower is nearer */
} suggestion;

/* Near is at most two edits away (insert, delete, replace, swap neighbours; fewer than the word
 * has letters) or begins with the word. */
void suggestion_consider(suggestion *s, const char *name);
