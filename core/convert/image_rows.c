/* image_rows.c -- a matrix and its image row by row, as two sorted lists are merged. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/convert/image.h"

#include <stdlib.h>

/* Where the next entries of a row come from. */
typedef struct image_places {
    int64_t p, p_end, q, q_end; /* in A and T */
} image_places;

/* What there is in the next column. */
typedef struct joined_entry {
    int32_t col;
    bool in_a, in_t;
} joined_entry;

static image_places image_places_of(const spmv__mirrored_rows *rows, int64_t r)
{
    return (image_places){rows->A->row_ptr[r], rows->A->row_ptr[r + 1], rows->T->row_ptr[r],
                          rows->T->row_ptr[r + 1]};
}

/* Take the next column; false: there is none. */
SPMV__INLINE bool next_entry(const spmv__mirrored_rows *rows, image_places *at, joined_entry *out)
{
    const bool more_a = at->p < at->p_end, more_t = at->q < at->q_end;
    if (!more_a && !more_t) return false;
    const int32_t a = more_a ? rows->A->col_idx[at->p] : INT32_MAX;
    const int32_t t = more_t ? rows->T->col_idx[at->q] : INT32_MAX;
    *out = (joined_entry){a < t ? a : t, a <= t, t <= a};
    at->p += out->in_a;
    at->q += out->in_t;
    return true;
}

/* ---- Is there nothing to add? --------------------------------------------------------------- */

typedef struct image_comparison {
    const spmv__mirrored_rows *rows;
    bool differ;
} image_comparison;

static bool row_is_symmetric(const spmv__mirrored_rows *rows, int64_t r)
{
    const spmv_type type = rows->A->type;
    image_places at = image_places_of(rows, r);
    joined_entry e;
    while (next_entry(rows, &at, &e)) {
        if (!e.in_a || !e.in_t) return false;
        const spmv_scalar a = spmv__scalar(type, rows->A->val, at.p - 1);
        const spmv_scalar t = spmv__scalar(type, rows->T->val, at.q - 1);
        if (!spmv__are_alike(a.re, t.re) || !spmv__are_alike(a.im, t.im)) return false;
    }
    return true;
}

static int64_t compare_rows(void *job, int64_t begin, int64_t end)
{
    image_comparison *c = job;
    bool differ;
#pragma omp atomic read
    differ = c->differ;
    for (int64_t r = begin; r < end && !differ; r++) differ = !row_is_symmetric(c->rows, r);
    if (differ) {
#pragma omp atomic write
        c->differ = true;
    }
    return 0;
}

bool spmv__rows_are_symmetric(const spmv__mirrored_rows *rows)
{
    const spmv_csr *A = rows->A;
    image_comparison c = {.rows = rows};
    if (A->nnz != rows->T->nnz) return false;
    spmv__in_portions(compare_rows, &c, A->rows, A->nnz, spmv__threads_for(A->nnz),
                      &(spmv__meter){0});
    return !c.differ;
}

/* ---- The sum -------------------------------------------------------------------------------- */

typedef struct image_addition {
    const spmv__mirrored_rows *rows;
    spmv_symmetry image;
    int64_t *count; /* [rows + 1] entries of row r in count[r + 1] */
    spmv_csr *to;
} image_addition;

static int64_t count_rows(void *job, int64_t begin, int64_t end)
{
    const image_addition *a = job;
    const spmv__mirrored_rows *rows = a->rows;
    for (int64_t r = begin; r < end; r++) {
        image_places at = image_places_of(rows, r);
        joined_entry e;
        int64_t n = 0;
        while (next_entry(rows, &at, &e)) n++;
        a->count[r + 1] = n;
    }
    return rows->A->row_ptr[end] - rows->A->row_ptr[begin];
}

/* Place q of `to` = the entry that was taken last. */
SPMV__INLINE void write_value(const image_addition *a, spmv_csr *to, int64_t q,
                              const joined_entry *e, const image_places *at, bool diagonal)
{
    const spmv_csr *A = a->rows->A, *T = a->rows->T;
    if (!e->in_t || (e->in_a && diagonal)) {
        spmv__copy_value(to->type, to->val, q, A->val, at->p - 1);
    } else if (!e->in_a && a->image == SPMV_SYMMETRIC) {
        spmv__copy_value(to->type, to->val, q, T->val, at->q - 1);
    } else {
        spmv_scalar v = spmv__mirrored(a->image, spmv__scalar(to->type, T->val, at->q - 1));
        if (e->in_a) {
            const spmv_scalar own = spmv__scalar(to->type, A->val, at->p - 1);
            v = spmv__number(own.re + v.re, own.im + v.im);
        }
        spmv__set_scalar(to->type, to->val, q, v);
    }
}

static int64_t join_rows(void *job, int64_t begin, int64_t end)
{
    const image_addition *a = job;
    const spmv__mirrored_rows *rows = a->rows;
    spmv_csr to = *a->to;
    int64_t q = to.row_ptr[begin];
    for (int64_t r = begin; r < end; r++) {
        image_places at = image_places_of(rows, r);
        for (joined_entry e; next_entry(rows, &at, &e); q++) {
            to.col_idx[q] = e.col;
            write_value(a, &to, q, &e, &at, e.col == rows->first + r);
        }
    }
    return rows->A->row_ptr[end] - rows->A->row_ptr[begin];
}

spmv_status spmv__add_rows(spmv_csr *out, const spmv__mirrored_rows *rows, spmv_symmetry image,
                           spmv__meter *meter, spmv_error *err)
{
    const spmv_csr *A = rows->A;
    const int threads = spmv__threads_for(A->nnz);
    image_addition job = {.rows = rows, .image = image, .to = out};
    spmv_status st;
    SPMV__TRY(spmv__alloc(&job.count, A->rows + 1, sizeof *job.count, "rows", err));
    spmv__meter_begin(meter, "expanding", 2 * A->nnz, sizeof *A->col_idx, A->type);
    spmv__in_portions(count_rows, &job, A->rows, A->nnz, threads, meter);
    spmv__counts_to_offsets(job.count, A->rows);
    SPMV__TRY(spmv_csr_create(out, A->type, A->rows, A->cols, job.count[A->rows], err));
    memcpy(out->row_ptr, job.count, (size_t)(A->rows + 1) * sizeof *job.count);
    spmv__in_portions(join_rows, &job, A->rows, A->nnz, threads, meter);
done:
    free(job.count);
    return st;
}
