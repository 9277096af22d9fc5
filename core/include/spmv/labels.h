/* spmv/labels.h -- what the rows of a matrix are called; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_LABELS_H
#define SPMV_LABELS_H

#include "spmv/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The names that a file gives its rows: words or integers.  Row i is called names + name_ptr[i]
 * where there are names, else id[i], else first + i.  A file without names counts from 1, as Matrix
 * Market does.  A word is 1 to 4095 bytes of UTF-8 without control characters. */
typedef struct spmv_labels {
    int64_t n;         /* rows */
    int64_t first;     /* 1 but where rows count from 0 */
    int64_t *id;       /* [n], ascending; NULL where they have no gaps, or are words */
    int64_t *name_ptr; /* [n + 1] where each word begins; NULL: integers */
    char *names;       /* [name_ptr[n]] the words, a 0 behind each */
    int64_t *order;    /* [n] rows by ascending bytes of their words; NULL: so they are already */
} spmv_labels;

enum { SPMV_LABEL_SIZE = 24, SPMV_NAME_LENGTH = 4095 };

/* What row i is called: one of the words, or an integer as text in `out`. */
const char *spmv_label_text(const spmv_labels *labels, int64_t i, char out[SPMV_LABEL_SIZE]);

/* The row of that name, the first of several; -1 where there is none.  An integer may have zeros in
 * front, as in the files that are read. */
int64_t spmv_label_find(const spmv_labels *labels, const char *name, size_t length);

/* The integer that row i is called, which has no word for a name. */
int64_t spmv_label_at(const spmv_labels *labels, int64_t i);

bool spmv_labels_are_usual(const spmv_labels *labels); /* 1, 2, ... */
bool spmv_labels_equal(const spmv_labels *a, const spmv_labels *b);
void spmv_labels_destroy(spmv_labels *labels); /* releases the arrays and clears *labels */

#ifdef __cplusplus
}
#endif
#endif
