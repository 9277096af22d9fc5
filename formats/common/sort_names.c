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

/* Bytes `from` to from + 7 of a name; after its end they are 0, which no name holds. */
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

/* Move keys into the order of the byte at `shift`, those that are alike as they were; false where
 * all are alike, and nothing is moved. */
static bool sort_byte(const name_key *from, name_key *to, int64_t n, int shift)
{
    int64_t place[256] = {0}, sum = 0;
    for (int64_t k = 0; k < n; k++) place[from[k].bytes >> shift & 0xff]++;
    if (place[from[0].bytes >> shift & 0xff] == n) return false;
    for (int i = 0; i < 256; i++) {
        const int64_t count = place[i];
        place[i] = sum;
        sum += count;
    }
    for (int64_t k = 0; k < n; k++) to[place[from[k].bytes >> shift & 0xff]++] = from[k];
    return true;
}

/* Sort keys by their bytes: few by comparing, many byte by byte from the last. */
static void sort_eights(name_key *keys, name_key *spare, int64_t n)
{
    enum { FEW = 200 };
    name_key *now = keys, *other = spare;
    if (n < FEW) {
        qsort(keys, (size_t)n, sizeof *keys, compare_keys);
        return;
    }
    for (int shift = 0; shift < 64; shift += 8) {
        if (!sort_byte(now, other, n, shift)) continue;
        name_key *swap = now;
        now = other;
        other = swap;
    }
    if (now != keys) memcpy(keys, now, (size_t)n * sizeof *keys);
}

/* Keys whose names are the same before byte `from`, in the order of their rows.  As deep as the
 * longest name has eights. */
static void sort_keys(name_key *keys, name_key *spare, int64_t n, const spmv_labels *labels,
                      int64_t from)
{
    for (int64_t k = 0; k < n; k++) keys[k].bytes = bytes_of(labels, keys[k].row, from);
    sort_eights(keys, spare, n);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && keys[end].bytes == keys[begin].bytes;) end++;
        if (end - begin > 1 && (keys[begin].bytes & 0xff) != 0)
            sort_keys(keys + begin, spare, end - begin, labels, from + 8);
    }
}

/* How many bytes all names begin with together. */
static int64_t common_start(const spmv_labels *labels)
{
    const char *first = labels->names;
    int64_t same = labels->n > 0 ? labels->name_ptr[1] - 1 : 0;
    for (int64_t i = 1; i < labels->n; i++) {
        const char *name = labels->names + labels->name_ptr[i];
        int64_t k = 0;
        while (k < same && name[k] == first[k]) k++;
        same = k;
    }
    return same;
}

spmv_status spmv__name_order(int64_t **order, const spmv_labels *labels, spmv_error *err)
{
    name_key *keys = NULL, *spare = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc_unset(&keys, labels->n, sizeof *keys, "names in order", err));
    SPMV__TRY(spmv__alloc_unset(&spare, labels->n, sizeof *spare, "names in order", err));
    SPMV__TRY(spmv__alloc_unset(order, labels->n, sizeof **order, "names in order", err));
    for (int64_t i = 0; i < labels->n; i++) keys[i].row = i;
    sort_keys(keys, spare, labels->n, labels, common_start(labels));
    for (int64_t i = 0; i < labels->n; i++) (*order)[i] = keys[i].row;
done:
    free(keys);
    free(spare);
    return st;
}
