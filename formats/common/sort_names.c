/* sort_names.c -- names by ascending bytes: by their first eight, those that are alike there by the
 * next eight, and so on. */
#include "formats/common/name.h"

#include <stdlib.h>
#include <string.h>

/* A row, and eight bytes of its name as a number that orders as they do. */
typedef struct name_key {
    uint64_t bytes;
    int64_t row;
} name_key;

static int compare_keys(const void *a, const void *b)
{
    const name_key *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Bytes `from` to from + 7 of a name; behind its end they are 0, which no name holds. */
static uint64_t bytes_of(const spmv_labels *labels, int64_t row, int64_t from)
{
    const int64_t left = labels->name_ptr[row + 1] - labels->name_ptr[row] - from;
    unsigned char eight[8] = {0};
    uint64_t number = 0;
    if (left <= 0) return 0;
    memcpy(eight, labels->names + labels->name_ptr[row] + from, left < 8 ? (size_t)left : 8);
    for (int i = 0; i < 8; i++) number = number << 8 | eight[i];
    return number;
}

/* Keys whose names are the same before byte `from`.  As deep as the longest name has eights. */
static void sort_keys(name_key *keys, int64_t n, const spmv_labels *labels, int64_t from)
{
    for (int64_t k = 0; k < n; k++) keys[k].bytes = bytes_of(labels, keys[k].row, from);
    qsort(keys, (size_t)n, sizeof *keys, compare_keys);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && keys[end].bytes == keys[begin].bytes;) end++;
        if (end - begin > 1 && (keys[begin].bytes & 0xff) != 0)
            sort_keys(keys + begin, end - begin, labels, from + 8);
    }
}

spmv_status spmv__name_order(int64_t **order, const spmv_labels *labels, spmv_error *err)
{
    name_key *keys = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&keys, labels->n, sizeof *keys, "names in order", err));
    SPMV__TRY(spmv__alloc(order, labels->n, sizeof **order, "names in order", err));
    for (int64_t i = 0; i < labels->n; i++) keys[i].row = i;
    sort_keys(keys, labels->n, labels, 0);
    for (int64_t i = 0; i < labels->n; i++) (*order)[i] = keys[i].row;
done:
    free(keys);
    return st;
}
