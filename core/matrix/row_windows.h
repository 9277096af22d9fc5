/* row_windows.h -- lengths of rows: the longest, and rows sorted by falling length, all of them or
 * within windows. */
#pragma once

#include "spmv.h"

/* Returns the number of entries of the longest row; 0: there are none. */
int64_t spmv__longest_row(const spmv_csr *A);

/* The rows of each window by falling length, equal lengths in their old order: perm is [rows]. */
spmv_status spmv__sort_windows(int32_t *perm, int64_t window, const spmv_csr *A, spmv_error *err);

/* All rows so, the longest of which has `longest` entries: a counting sort.  longer[k] becomes the
 * number of rows with more than k entries, [longest]; it may be NULL. */
spmv_status spmv__sort_rows(int32_t *perm, int64_t longest, int64_t *longer, const spmv_csr *A,
                            spmv_error *err);

/* A window of at least `window` rows that is whole slices, or all of them; 1 where there is none.
 */
int64_t spmv__whole_slices(int64_t rows, int64_t slice, int64_t window);

/* INVALID_FORMAT unless the window is 1 or whole slices, at most all. */
spmv_status spmv__check_window(int64_t rows, int64_t slice, int64_t window, spmv_error *err);

/* INVALID_FORMAT unless the window is 1 or whole slices, at most all, and perm, which is used in
 * the second case, has each row of each window once.  OUT_OF_MEMORY. */
spmv_status spmv__check_windows(const int32_t *perm, int64_t rows, int64_t slice, int64_t window,
                                spmv_error *err);

/* INVALID_FORMAT unless the row at place i, of `length` entries, may follow the one before it, of
 * `before`: it is no longer, or as long and a later row, or the first of a window. */
spmv_status spmv__check_place(const int32_t *perm, int64_t window, int64_t i, int64_t length,
                              int64_t before, spmv_error *err);
