/* labels.c -- what the rows of a matrix are called: looking labels up, comparing them, letting them
 * go. */
#include "core/matrix/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t spmv_label_at(const spmv_labels *labels, int64_t i)
{
    return labels->id != NULL ? labels->id[i] : labels->first + i;
}

const char *spmv_label_text(const spmv_labels *labels, int64_t i, char out[SPMV_LABEL_SIZE])
{
    if (labels->name_ptr != NULL) return labels->names + labels->name_ptr[i];
    snprintf(out, SPMV_LABEL_SIZE, "%" PRId64, spmv_label_at(labels, i));
    return out;
}

/* ---- Looking up ----------------------------------------------------------------------------- */

static int64_t find_id(const spmv_labels *labels, int64_t id)
{
    if (labels->id == NULL)
        return id >= labels->first && (uint64_t)id - (uint64_t)labels->first < (uint64_t)labels->n
                   ? id - labels->first
                   : -1;
    const int64_t place = spmv__find_offset(labels->id, labels->n, id);
    return place < labels->n && labels->id[place] == id ? place : -1;
}

static int64_t nth_row(const spmv_labels *labels, int64_t k)
{
    return labels->order != NULL ? labels->order[k] : k;
}

/* The sign of word - name, by bytes. */
static int compare_name(const spmv_labels *labels, int64_t row, const char *name, size_t length)
{
    const char *word = labels->names + labels->name_ptr[row];
    const size_t size = (size_t)(labels->name_ptr[row + 1] - labels->name_ptr[row]) - 1;
    const int sign = memcmp(word, name, size < length ? size : length);
    return sign != 0 ? sign : (size > length) - (size < length);
}

static int64_t find_word(const spmv_labels *labels, const char *name, size_t length)
{
    int64_t low = 0, high = labels->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (compare_name(labels, nth_row(labels, middle), name, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == labels->n) return -1;
    const int64_t row = nth_row(labels, low);
    return compare_name(labels, row, name, length) == 0 ? row : -1;
}

int64_t spmv_label_find(const spmv_labels *labels, const char *name, size_t length)
{
    uint64_t id = 0;
    if (labels->name_ptr != NULL) return find_word(labels, name, length);
    for (size_t i = 0; i < length; i++) {
        if (name[i] < '0' || name[i] > '9' || id > INT64_MAX / 10) return -1;
        id = id * 10 + (uint64_t)(name[i] - '0');
    }
    return length > 0 && id <= INT64_MAX ? find_id(labels, (int64_t)id) : -1;
}

/* ---- As a whole ----------------------------------------------------------------------------- */

bool spmv_labels_are_usual(const spmv_labels *labels)
{
    return labels->n == 0 || (labels->name_ptr == NULL && labels->id == NULL && labels->first == 1);
}

static bool equal_arrays(const void *a, const void *b, int64_t n, size_t size)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, (size_t)n * size) == 0);
}

bool spmv_labels_equal(const spmv_labels *a, const spmv_labels *b)
{
    if (a->n != b->n || (a->name_ptr == NULL) != (b->name_ptr == NULL)) return false;
    if (a->name_ptr != NULL)
        return equal_arrays(a->name_ptr, b->name_ptr, a->n + 1, sizeof *a->name_ptr) &&
               equal_arrays(a->names, b->names, a->name_ptr[a->n], 1);
    if (a->id == NULL && b->id == NULL) return a->first == b->first;
    return equal_arrays(a->id, b->id, a->n, sizeof *a->id);
}

void spmv_labels_destroy(spmv_labels *labels)
{
    if (labels == NULL) return;
    free(labels->id);
    free(labels->name_ptr);
    free(labels->names);
    free(labels->order);
    *labels = (spmv_labels){0};
}
