/* expand.c -- from one stored triangle to the whole matrix. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"
#include "core/convert/coo_sort.h"

typedef struct mirroring {
    const spmv_coo *from;
    spmv_coo *to;
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
        if (A->symmetry == SPMV_SYMMETRIC)
            spmv__copy_value(A->type, out->val, q, A->val, p);
        else
            spmv__set_scalar(A->type, out->val, q,
                             spmv__mirrored(A->symmetry, spmv__scalar(A->type, A->val, p)));
        q++;
    }
    m->next = q;
    return end - begin;
}

/* All of A, then its entries off the diagonal mirrored, in no particular order. */
static spmv_status mirror(spmv_coo *out, const spmv_coo *A, spmv__meter *meter, spmv_error *err)
{
    int64_t q = A->nnz;
    for (int64_t p = 0; p < A->nnz; p++) q += A->row_idx[p] != A->col_idx[p];
    spmv_status st = spmv_coo_create(out, A->type, A->rows, A->cols, q, err);
    if (st != SPMV_SUCCESS) return st;

    mirroring job = {A, out, A->nnz};
    spmv__meter_begin(meter, "expanding", A->nnz, 2 * sizeof(int64_t), A->type);
    spmv__in_portions(mirror_entries, &job, A->nnz, A->nnz, 1, meter);
    return SPMV_SUCCESS;
}

spmv_status spmv_expand(spmv_matrix *out, const spmv_matrix *A, const spmv_convert_options *build,
                        spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st;
    spmv_matrix half = {.format = SPMV_COO}, whole = {.format = SPMV_COO};
    spmv__meter meter = spmv__meter_of(build);

    if (A->head.symmetry == SPMV_GENERAL) return spmv__copy(out, A, err);
    SPMV__TRY(spmv_convert(&half, A, SPMV_COO, build, err));
    SPMV__TRY(mirror(&whole.coo, &half.coo, &meter, err));
    spmv_destroy(&half);
    SPMV__TRY(spmv__coo_sort(&whole.coo, SPMV_DUPLICATES_ERROR, NULL, &meter, err));
    SPMV__TRY(spmv__convert_move(out, &whole, A->format, build, err));
done:
    spmv_destroy(&half);
    spmv_destroy(&whole);
    return st;
}
