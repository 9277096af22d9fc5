/* image.c -- a matrix and its image, by way of its rows and those of its transpose; among
 * coordinates where rows are many more than entries. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"
#include "core/convert/coo_sort.h"
#include "core/convert/image.h"

/* What the image of a matrix is made of. */
static spmv_symmetry image_of(const spmv_matrix *A)
{
    return A->head.symmetry == SPMV_GENERAL ? SPMV_SYMMETRIC : A->head.symmetry;
}

/* ---- By rows -------------------------------------------------------------------------------- */

static spmv_status add_by_rows(spmv_matrix *out, const spmv_matrix *A,
                               const spmv_convert_options *build, spmv_error *err)
{
    spmv_matrix rows = {.format = SPMV_CSR}, turned = {.format = SPMV_CSC}, sum = rows;
    spmv__meter meter = spmv__meter_of(build);
    spmv_status st;

    if (A->format != SPMV_CSR) SPMV__TRY(spmv_convert(&rows, A, SPMV_CSR, build, err));
    const spmv_matrix *by_row = A->format == SPMV_CSR ? A : &rows;
    SPMV__TRY(spmv__convert(&turned, by_row, SPMV_CSC, build, "transposing", err));
    turned = spmv__relabel(&turned);
    const spmv__mirrored_rows both = {.A = &by_row->csr, .T = &turned.csr};
    if (A->head.symmetry == SPMV_GENERAL && spmv__rows_are_symmetric(&both)) {
        SPMV__TRY(spmv__copy(out, A, err));
    } else {
        SPMV__TRY(spmv__add_rows(&sum.csr, &both, image_of(A), &meter, err));
        spmv_destroy(&turned);
        spmv_destroy(&rows);
        SPMV__TRY(spmv__convert_move(out, &sum, A->format, build, err));
    }
done:
    spmv_destroy(&turned);
    spmv_destroy(&rows);
    return st;
}

/* ---- Among coordinates ---------------------------------------------------------------------- */

static bool are_same(const spmv_coo *A, const spmv_coo *B)
{
    for (int64_t p = 0; p < A->nnz; p++) {
        const spmv_scalar a = spmv__scalar(A->type, A->val, p);
        const spmv_scalar b = spmv__scalar(B->type, B->val, p);
        if (A->row_idx[p] != B->row_idx[p] || A->col_idx[p] != B->col_idx[p] ||
            !spmv__are_alike(a.re, b.re) || !spmv__are_alike(a.im, b.im))
            return false;
    }
    return true;
}

/* *same = A is general, and equal to its transpose. */
static spmv_status compare_with_transpose(const spmv_matrix *A, const spmv_convert_options *build,
                                          bool *same, spmv_error *err)
{
    spmv_matrix turned;
    *same = false;
    if (A->head.symmetry != SPMV_GENERAL) return SPMV_SUCCESS;
    const spmv_status st = spmv_transpose(&turned, A, build, err);
    if (st != SPMV_SUCCESS) return st;
    *same = are_same(&A->coo, &turned.coo);
    spmv_destroy(&turned);
    return st;
}

typedef struct mirroring {
    const spmv_coo *from;
    spmv_coo *to;
    spmv_symmetry image;
    int64_t next; /* place of a mirrored entry */
} mirroring;

static int64_t mirror_entries(void *job, int64_t begin, int64_t end)
{
    mirroring *m = job;
    const spmv_coo *A = m->from, *out = m->to;
    int64_t q = m->next;
    for (int64_t p = begin; p < end; p++) {
        int64_t r = A->row_idx[p], c = A->col_idx[p];
        out->row_idx[p] = r;
        out->col_idx[p] = c;
        spmv__copy_value(A->type, out->val, p, A->val, p);
        if (r == c) continue;
        out->row_idx[q] = c;
        out->col_idx[q] = r;
        if (m->image == SPMV_SYMMETRIC)
            spmv__copy_value(A->type, out->val, q, A->val, p);
        else
            spmv__set_scalar(A->type, out->val, q,
                             spmv__mirrored(m->image, spmv__scalar(A->type, A->val, p)));
        q++;
    }
    m->next = q;
    return end - begin;
}

/* All of A, then its entries off the diagonal mirrored, in no particular order. */
static spmv_status mirror(spmv_coo *out, const spmv_matrix *A, spmv__meter *meter, spmv_error *err)
{
    const spmv_coo *given = &A->coo;
    int64_t q = given->nnz;
    for (int64_t p = 0; p < given->nnz; p++) q += given->row_idx[p] != given->col_idx[p];
    spmv_status st = spmv_coo_create(out, given->type, given->rows, given->cols, q, err);
    if (st != SPMV_SUCCESS) return st;

    mirroring job = {given, out, image_of(A), given->nnz};
    spmv__meter_begin(meter, "expanding", given->nnz, 2 * sizeof(int64_t), given->type);
    spmv__in_portions(mirror_entries, &job, given->nnz, given->nnz, 1, meter);
    return SPMV_SUCCESS;
}

static spmv_status add_among_coordinates(spmv_matrix *out, const spmv_matrix *A,
                                         const spmv_convert_options *build, spmv_error *err)
{
    spmv_matrix whole = {.format = SPMV_COO};
    spmv__meter meter = spmv__meter_of(build);
    bool same;
    spmv_status st;
    SPMV__TRY(compare_with_transpose(A, build, &same, err));
    if (same) return spmv__copy(out, A, err);
    SPMV__TRY(mirror(&whole.coo, A, &meter, err));
    SPMV__TRY(spmv__coo_sort(&whole.coo, SPMV_DUPLICATES_SUM, NULL, &meter, err));
    *out = whole;
    return st;
done:
    spmv_destroy(&whole);
    return st;
}

/* ---- Either --------------------------------------------------------------------------------- */

spmv_status spmv__add_image(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err)
{
    const spmv_head *h = &A->head;
    const bool few = spmv__is_hypersparse(h->rows, h->nnz) || h->cols > INT32_MAX;
    const spmv_status st =
        (A->format == SPMV_COO && few ? add_among_coordinates : add_by_rows)(out, A, build, err);
    if (st == SPMV_SUCCESS) out->head.symmetry = SPMV_GENERAL;
    return st;
}
