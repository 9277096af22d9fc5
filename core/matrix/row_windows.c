/* row_windows.c -- see row_windows.h. */
#include "core/base/base.h"
#include "core/matrix/row_windows.h"

#include <stdlib.h>

int64_t spmv__longest_row(const spmv_csr *A)
{
    int64_t longest = 0;
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t length = A->row_ptr[r + 1] - A->row_ptr[r];
        if (length > longest) longest = length;
    }
    return longest;
}

typedef struct sorted_row {
    int64_t length, row;
} sorted_row;

/* Falling length, rows of one length in their old order. */
static int compare_rows(const void *a, const void *b)
{
    const sorted_row *x = a, *y = b;
    if (x->length != y->length) return x->length > y->length ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

spmv_status spmv__sort_windows(int32_t *perm, int64_t window, const spmv_csr *A, spmv_error *err)
{
    sorted_row *rows = NULL; /* [window] */
    if (window > A->rows) window = A->rows;
    spmv_status st = spmv__alloc(&rows, window, sizeof *rows, "rows of a window", err);

    for (int64_t first = 0; st == SPMV_SUCCESS && first < A->rows; first += window) {
        const int64_t left = A->rows - first, n = left < window ? left : window;
        for (int64_t i = 0; i < n; i++)
            rows[i] = (sorted_row){A->row_ptr[first + i + 1] - A->row_ptr[first + i], first + i};
        qsort(rows, (size_t)n, sizeof *rows, compare_rows);
        for (int64_t i = 0; i < n; i++) perm[first + i] = (int32_t)rows[i].row;
    }
    free(rows);
    return st;
}

spmv_status spmv__sort_rows(int32_t *perm, int64_t longest, int64_t *longer, const spmv_csr *A,
                            spmv_error *err)
{
    int64_t *start = NULL; /* [longest + 1], where the next row of a length goes */
    const spmv_status st = spmv__alloc(&start, longest + 1, sizeof *start, "row lengths", err);
    if (st != SPMV_SUCCESS) return st;

    for (int64_t r = 0; r < A->rows; r++) start[A->row_ptr[r + 1] - A->row_ptr[r]]++;
    int64_t before = 0;
    for (int64_t k = longest; k >= 0; k--) {
        const int64_t n = start[k];
        start[k] = before;
        if (longer != NULL && k < longest) longer[k] = before;
        before += n;
    }
    for (int64_t r = 0; r < A->rows; r++)
        perm[start[A->row_ptr[r + 1] - A->row_ptr[r]]++] = (int32_t)r;
    free(start);
    return st;
}

int64_t spmv__whole_slices(int64_t rows, int64_t slice, int64_t window)
{
    const int64_t wanted = (window + slice - 1) / slice;
    const int64_t slices = rows / slice + (rows % slice != 0);
    if (slices == 0) return 1;
    return (wanted < slices ? wanted : slices) * slice;
}

/* Each row once, and in its own window. */
static spmv_status check_perm(const int32_t *perm, int64_t rows, int64_t window, spmv_error *err)
{
    unsigned char *seen = NULL; /* [rows] */
    spmv_status st = spmv__alloc(&seen, rows, 1, "permutation check", err);

    for (int64_t i = 0; st == SPMV_SUCCESS && i < rows; i++) {
        const int64_t r = perm[i];
        if (r < 0 || r >= rows || r / window != i / window || seen[r])
            st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                            "perm[%lld] is %lld, expected each row of its window once",
                            (long long)i, (long long)r);
        else
            seen[r] = 1;
    }
    free(seen);
    return st;
}

spmv_status spmv__check_window(int64_t rows, int64_t slice, int64_t window, spmv_error *err)
{
    const int64_t n = rows / slice + (rows % slice != 0);
    if (window == 1 || (window >= 1 && window % slice == 0 && window <= n * slice))
        return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "windows of %lld rows are neither 1 nor 1..%lld slices of %lld",
                      (long long)window, (long long)n, (long long)slice);
}

spmv_status spmv__check_windows(const int32_t *perm, int64_t rows, int64_t slice, int64_t window,
                                spmv_error *err)
{
    const spmv_status st = spmv__check_window(rows, slice, window, err);
    return st != SPMV_SUCCESS || window == 1 ? st : check_perm(perm, rows, window, err);
}

spmv_status spmv__check_place(const int32_t *perm, int64_t window, int64_t i, int64_t length,
                              int64_t before, spmv_error *err)
{
    if (window == 1 || i % window == 0) return SPMV_SUCCESS;
    if (length < before || (length == before && perm[i] > perm[i - 1])) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "row %d of %lld entries comes after row %d of %lld", perm[i],
                      (long long)length, perm[i - 1], (long long)before);
}
