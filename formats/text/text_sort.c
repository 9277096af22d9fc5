/* text_sort.c -- entries in the order of a file become COO: sorted, each coordinate once, and what
 * is given again is reported with its place. */
#include "core/convert/coo_sort.h"
#include "formats/text/text.h"

spmv_status spmv__text_given_again(const spmv__origin *origin, spmv_type type, int64_t row,
                                   int64_t col, int64_t gone, spmv_error *err)
{
    const spmv_duplicates policy = origin->options->duplicates;
    spmv__text *text = origin->text;
    const bool strict = origin->options->strict || policy == SPMV_DUPLICATES_ERROR;
    if (!strict && origin->options->warn == NULL) return SPMV_SUCCESS; /* nobody is told */
    if (origin->mirrored) {
        const int64_t swap = row;
        row = col;
        col = swap;
    }
    const unsigned char *place = origin->find(origin->file, row, col, 2);
    if (policy == SPMV_DUPLICATES_ERROR) {
        char from[SPMV_LABEL_SIZE], to[SPMV_LABEL_SIZE];
        if (origin->labels != NULL && origin->labels->n > 0)
            spmv__text_fault(text, place, "the edge from %s to %s is repeated",
                             spmv_label_text(origin->labels, row, from),
                             spmv_label_text(origin->labels, col, to));
        else
            spmv__text_fault(text, place, "row %lld, column %lld is repeated",
                             (long long)(row + origin->base), (long long)(col + origin->base));
        return spmv__text_report_fault(origin->src, text, err);
    }
    const spmv__oddity oddity = type == SPMV_PATTERN ? SPMV__ODD_DUPLICATE_PATTERN
                                : policy == SPMV_DUPLICATES_COUNT
                                    ? SPMV__ODD_DUPLICATE_SUM
                                    : SPMV__ODD_DUPLICATE_SUM + (spmv__oddity)policy;
    spmv__text_note(text, oddity, place);
    text->count[oddity] += gone - 1;
    return SPMV_SUCCESS;
}

/* Sorted as if duplicates were an error: a file without any needs no more, and of one with some
 * the first can be named before the policy makes them one. */
spmv_status spmv__text_sort(spmv_coo *A, const spmv__origin *origin, int64_t *merged,
                            spmv_error *err)
{
    const spmv_duplicates policy = origin->options->duplicates;
    int64_t p = 0, gone = 0;
    spmv_error found;
    /* Images come second: sorting is over then, as far as anybody was told. */
    spmv__meter meter = {.progress = origin->mirrored ? NULL : origin->options->progress,
                         .user = origin->options->user};
    spmv_status st = spmv__coo_sort(A, SPMV_DUPLICATES_ERROR, NULL, &meter, &found);
    if (st != SPMV_ERROR_INVALID_FORMAT) {
        if (st != SPMV_SUCCESS && err != NULL) *err = found;
        return st;
    }

    while (A->row_idx[p] != A->row_idx[p + 1] || A->col_idx[p] != A->col_idx[p + 1]) p++;
    const int64_t row = A->row_idx[p], col = A->col_idx[p];
    if (policy != SPMV_DUPLICATES_ERROR) SPMV__TRY(spmv_coo_sort(A, policy, &gone, err));
    SPMV__TRY(spmv__text_given_again(origin, A->type, row, col, gone, err));
    *merged += gone;
done:
    return st;
}
