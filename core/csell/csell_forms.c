/* csell_forms.c -- the forms that the columns of a slice may have, and where a slice lies. */
#include "core/csell/csell.h"

const spmv__csell_form *const spmv__csell_forms[SPMV_CSELL_ENCODINGS] = {
    [SPMV_CSELL_FAR] = &spmv__csell_far,
    [SPMV_CSELL_NEAR] = &spmv__csell_near,
    [SPMV_CSELL_DIAGONAL] = &spmv__csell_diagonal,
    [SPMV_CSELL_DIAGONAL_MASKED] = &spmv__csell_diagonal_masked,
    [SPMV_CSELL_COLUMN] = &spmv__csell_column,
    [SPMV_CSELL_COLUMN_MASKED] = &spmv__csell_column_masked,
    [SPMV_CSELL_BYTE] = &spmv__csell_byte,
    [SPMV_CSELL_LISTS] = &spmv__csell_lists,
    [SPMV_CSELL_LISTS_FAR] = &spmv__csell_lists_far,
    [SPMV_CSELL_LISTS_MASKED] = &spmv__csell_lists_masked,
};

spmv__slice spmv__csell_slice(const spmv_csell *A, int64_t s)
{
    const int64_t left = A->rows - s * A->slice;
    spmv__slice slice = {.lanes = A->slice,
                         .rows = left < A->slice ? left : A->slice,
                         .first = s * A->slice,
                         .perm = A->window > 1 ? A->perm : NULL};
    if (A->slice_ptr == NULL || A->code_ptr == NULL) return slice;
    slice.slot = A->slice_ptr[s];
    slice.steps = (A->slice_ptr[s + 1] - slice.slot) / A->slice;
    slice.code = A->code != NULL ? A->code + A->code_ptr[s] : NULL;
    return slice;
}
