/* labels.c -- what a file calls its rows: looking labels up, keeping them, letting them go. */
#include "formats/common/file_format.h"

#include <stdlib.h>

int64_t spmv_label_at(const spmv_labels *labels, int64_t i)
{
    return labels->id != NULL ? labels->id[i] : labels->first + i;
}

int64_t spmv_label_find(const spmv_labels *labels, int64_t id)
{
    int64_t low = 0, high = labels->n;
    if (labels->id == NULL)
        return id >= labels->first && id - labels->first < labels->n ? id - labels->first : -1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (labels->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < labels->n && labels->id[low] == id ? low : -1;
}

bool spmv_labels_are_usual(const spmv_labels *labels)
{
    return labels->n == 0 || (labels->id == NULL && labels->first == 1);
}

void spmv__labels_take(spmv_labels *labels, int64_t *id, int64_t n)
{
    labels->n = n;
    labels->id = id;
    if (n > 0 && (id[0] > 1 || id[n - 1] - id[0] != n - 1)) return;
    if (n > 0) labels->first = id[0];
    labels->id = NULL;
    free(id);
}

spmv_labels spmv__labels_to_write(const spmv_matrix *A, const spmv_write_options *options)
{
    const spmv_labels *given = options != NULL ? options->labels : NULL;
    if (given != NULL && A->head.rows == A->head.cols && given->n == A->head.rows) return *given;
    return (spmv_labels){.n = A->head.rows, .first = 1};
}

void spmv_labels_destroy(spmv_labels *labels)
{
    if (labels == NULL) return;
    free(labels->id);
    *labels = (spmv_labels){0};
}
