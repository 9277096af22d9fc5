/* predict_costs.c -- what a multiplication would cost each of many ranks, worked out by this one
 * alone.
 *
 * The parts are gone through one after the other, each entry once.  A column remembers the last
 * part that has needed it, so that nothing is cleared between parts, and its owner. */
#include "core/matrix/format.h"
#include "core/parts/halo.h"
#include "core/parts/partition.h"

#include <stdlib.h>

typedef struct column_needs {
    int parts;
    int64_t *row_begin, *col_begin; /* [parts + 1] */
    int32_t *owner, *needed_by;     /* [cols] the part that has a column, and 1 + the last one that
                                       needed it */
    int64_t *needs;                 /* [parts] of each other one, 0 between parts */
    int *others, count;             /* [parts], the first `count`: of which something is needed */
} column_needs;

static spmv_status create(column_needs *f, int parts, int64_t cols, spmv_error *err)
{
    const char *what = "a prediction";
    spmv_status st;
    f->parts = parts;
    SPMV__TRY(spmv__alloc(&f->row_begin, (int64_t)parts + 1, sizeof *f->row_begin, what, err));
    SPMV__TRY(spmv__alloc(&f->col_begin, (int64_t)parts + 1, sizeof *f->col_begin, what, err));
    SPMV__TRY(spmv__alloc(&f->owner, cols, sizeof *f->owner, what, err));
    SPMV__TRY(spmv__alloc(&f->needed_by, cols, sizeof *f->needed_by, what, err));
    SPMV__TRY(spmv__alloc(&f->needs, parts, sizeof *f->needs, what, err));
    SPMV__TRY(spmv__alloc(&f->others, parts, sizeof *f->others, what, err));
done:
    return st;
}

static void destroy(column_needs *f)
{
    free(f->row_begin);
    free(f->col_begin);
    free(f->owner);
    free(f->needed_by);
    free(f->needs);
    free(f->others);
}

static void name_owners(column_needs *f)
{
    for (int k = 0; k < f->parts; k++)
        for (int64_t c = f->col_begin[k]; c < f->col_begin[k + 1]; c++) f->owner[c] = k;
}

/* Part k needs a column, maybe not for the first time. */
static void need(column_needs *f, int k, int32_t col)
{
    const int owner = f->owner[col];
    if (owner == k || f->needed_by[col] == k + 1) return;
    f->needed_by[col] = k + 1;
    if (f->needs[owner]++ == 0) f->others[f->count++] = owner;
}

/* Book what part k takes of all others, with both sides. */
static void settle(column_needs *f, spmv_part_costs *out, int k)
{
    for (int i = 0; i < f->count; i++) {
        const int other = f->others[i];
        const int64_t owned = f->col_begin[other + 1] - f->col_begin[other];
        const int64_t taken = spmv__halo_takes(f->needs[other], owned);
        out[k].received += taken;
        out[other].sent += taken;
        out[other].receivers++;
        f->needs[other] = 0;
    }
    out[k].neighbours = f->count;
    f->count = 0;
}

spmv_status spmv_part_predict(spmv_part_costs *out, int parts, const spmv_csr *A, spmv_partition by,
                              spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && A != NULL, err);
    SPMV__REQUIRE(parts >= 1, err);
    column_needs f = {0};
    spmv_status st;
    if (A->symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a triangle is not shared out; expand the matrix first");
    SPMV__TRY(create(&f, parts, A->cols, err));
    spmv__part_cut(f.row_begin, f.col_begin, parts, A->rows, A->cols, A->row_ptr, by);
    name_owners(&f);
    memset(out, 0, (size_t)parts * sizeof *out);
    for (int k = 0; k < parts; k++) {
        const int64_t begin = A->row_ptr[f.row_begin[k]], end = A->row_ptr[f.row_begin[k + 1]];
        out[k].rows = f.row_begin[k + 1] - f.row_begin[k];
        out[k].nnz = end - begin;
        out[k].owned = f.col_begin[k + 1] - f.col_begin[k];
        for (int64_t p = begin; p < end; p++) need(&f, k, A->col_idx[p]);
        settle(&f, out, k);
    }
done:
    destroy(&f);
    return st;
}
