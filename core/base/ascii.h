/* ascii.h -- words of files, in capitals or not: the same in any locale of the program, where
 * Turkish has another small i. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline int spmv__small_letter(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

/* Are the first n bytes of both the same but for capitals? */
static inline bool spmv__alike(const void *a, const void *b, size_t n)
{
    const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
    size_t i = 0;
    while (i < n && spmv__small_letter(p[i]) == spmv__small_letter(q[i])) i++;
    return i == n;
}
