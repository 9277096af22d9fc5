/* csell_choice.c -- CSR to CSELL: for every slice the form that takes the fewest bytes.
 *
 * Two layouts are weighed: large slices of rows in their own order, and, where that leaves much
 * padding, small slices of rows that are sorted by length. */
#include "core/matrix/format.h"
#include "core/base/meter.h"
#include "core/storage/ell.h"
#include "core/csell/csell.h"
#include "core/csell/csell_sizes.h"
#include "core/matrix/row_windows.h"

#include <stdio.h>
#include <stdlib.h>

/* A form with gaps never needs more than so many times the longest row: it would take more than the
 * four bytes of a column, and one for the work, that every slot has otherwise. */
enum { MOST_PART = 5 };

typedef struct choice {
    int encoding;
    int64_t steps, words, cost; /* bytes, and one for the work on every slot */
} choice;

/* One way to cut a matrix, and what becomes of the slices. */
typedef struct layout {
    int64_t slice, window;
    int32_t *perm;   /* [rows] or NULL */
    choice *choices; /* [slices] */
    int64_t slots, words, cost;
} layout;

static spmv__slice_rows rows_of(const spmv_csr *A, const layout *l, int64_t s)
{
    const spmv_csell shape = {
        .rows = A->rows, .slice = l->slice, .window = l->window, .perm = l->perm};
    spmv__slice_rows in = {.A = A, .slice = spmv__csell_slice(&shape, s), .high = -1};
    in.low = A->cols;
    in.left = INT32_MAX;
    in.right = -INT32_MAX;
    for (int64_t lane = 0; lane < in.slice.rows; lane++) {
        const int64_t r = spmv__slice_row(&in.slice, lane);
        const int64_t begin = A->row_ptr[r], n = A->row_ptr[r + 1] - begin;
        if (n == 0) continue;
        in.nnz += n;
        if (n > in.width) in.width = n;
        const int64_t first = A->col_idx[begin], last = A->col_idx[begin + n - 1];
        if (first < in.low) in.low = first;
        if (last > in.high) in.high = last;
        if (first - r < in.left) in.left = first - r;
        if (last - r > in.right) in.right = last - r;
    }
    if (in.nnz == 0) in.low = in.left = 0;
    return in;
}

/* The cheapest form; of equal ones that without gaps, and the first in the table. */
static choice choose(const spmv__slice_rows *in, int32_t *scratch)
{
    const int64_t lanes = in->slice.lanes, slot = 1 + (int64_t)spmv_type_size(in->A->type);
    choice best = {.cost = INT64_MAX};
    for (int i = 0; i < 2 * SPMV_CSELL_ENCODINGS; i++) {
        const int e = i % SPMV_CSELL_ENCODINGS;
        const spmv__csell_form *form = spmv__csell_forms[e];
        int64_t most = (best.cost - 1) / (slot * lanes), codes = 0;
        if (form->gaps != (i >= SPMV_CSELL_ENCODINGS)) continue;
        /* No form takes fewer steps than the longest row has entries. */
        if (in->width * lanes * slot + 4 * form->words(form, lanes, in->width, 0) >= best.cost)
            continue;
        if (e != SPMV_CSELL_FAR && most > SPMV__CSELL_STEPS) most = SPMV__CSELL_STEPS;
        choice c = {.encoding = e, .steps = form->steps(form, in, most, scratch, &codes)};
        if (c.steps < 0) continue;
        c.words = form->words(form, lanes, c.steps, codes);
        c.cost = c.steps * lanes * slot + 4 * c.words;
        if (c.cost < best.cost) best = c;
        /* Nothing takes less than one number for each step of the longest row. */
        if (c.steps == in->width && c.words <= spmv__whole_bytes(c.steps)) break;
    }
    return best;
}

typedef struct choosing {
    const spmv_csr *A;
    layout *l;
    int32_t *scratch; /* [threads x room] */
    int64_t room;
} choosing;

static int64_t choose_slices(void *job, int64_t begin, int64_t end)
{
    const choosing *c = job;
    int64_t n = 0;
    for (int64_t s = begin; s < end; s++) {
        const spmv__slice_rows in = rows_of(c->A, c->l, s);
        c->l->choices[s] = choose(&in, c->scratch + spmv__thread() * c->room);
        n += in.nnz;
    }
    return n;
}

static spmv_status choose_all(layout *l, const spmv_csr *A, spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    const int64_t n = A->rows / l->slice + (A->rows % l->slice != 0);
    const int threads = spmv__threads_for(A->nnz);
    choosing job = {.A = A, .l = l, .room = MOST_PART * spmv__longest_row(A)};

    if (job.room > SPMV__CSELL_STEPS) job.room = SPMV__CSELL_STEPS;
    SPMV__TRY(spmv__alloc(&l->choices, n, sizeof *l->choices, "forms of slices", err));
    SPMV__TRY(spmv__alloc(&job.scratch, threads * job.room, sizeof *job.scratch, "numbers of steps",
                          err));
    spmv__in_portions(choose_slices, &job, n, A->nnz, threads, meter);
    for (int64_t s = 0; s < n; s++) {
        l->slots += l->choices[s].steps * l->slice;
        l->words += l->choices[s].words;
        l->cost += l->choices[s].cost;
    }
done:
    free(job.scratch);
    return st;
}

static void clear_layout(layout *l)
{
    free(l->perm);
    free(l->choices);
    *l = (layout){.cost = INT64_MAX};
}

/* Cut A into slices, the rows sorted within windows of at least `window`, and choose their forms.
 */
static spmv_status lay_out(layout *out, const spmv_csr *A, int64_t slice, int64_t window,
                           spmv__meter *meter, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    layout l = {.slice = slice, .window = 1};

    if (window > 1) l.window = spmv__whole_slices(A->rows, slice, window);
    if (l.window > 1) {
        SPMV__TRY(spmv__alloc(&l.perm, A->rows, sizeof *l.perm, "perm", err));
        SPMV__TRY(spmv__sort_windows(l.perm, l.window, A, err));
        l.cost = A->rows * (int64_t)sizeof *l.perm;
    }
    SPMV__TRY(choose_all(&l, A, meter, err));
    *out = l;
    l = (layout){0};
done:
    clear_layout(&l);
    return st;
}

/* The layout that is asked for, or the better one. */
static spmv_status best_layout(layout *out, const spmv_csr *A, const spmv_convert_options *build,
                               spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    const int64_t window = build != NULL ? build->sell_window : 0;
    int64_t slice = build != NULL ? build->sell_slice : 0;
    layout sorted = {.cost = INT64_MAX};

    slice = (slice + SPMV_CSELL_LANES - 1) / SPMV_CSELL_LANES * SPMV_CSELL_LANES;
    if (slice > SPMV_CSELL_SLICE) slice = SPMV_CSELL_SLICE;
    SPMV__TRY(lay_out(out, A,
                      slice > 0    ? slice
                      : window > 1 ? SPMV__CSELL_SORTED
                                   : SPMV__CSELL_OWN_ORDER,
                      window, meter, err));
    if (window != 0 || out->slots - A->nnz <= out->slots / SPMV__CSELL_WORTH) {
        spmv__meter_advance(meter, A->nnz); /* there is nothing more to choose */
        goto done;
    }
    if (slice == 0) slice = SPMV__CSELL_SORTED;
    SPMV__TRY(lay_out(&sorted, A, slice, SPMV__CSELL_WINDOW * slice, meter, err));
    if (sorted.cost < out->cost - out->cost / SPMV__CSELL_WORTH) {
        clear_layout(out);
        *out = sorted;
        sorted = (layout){0};
    }
done:
    clear_layout(&sorted);
    return st;
}

typedef struct csell_filling {
    const spmv_csr *from;
    const layout *l;
    spmv_csell *to;
} csell_filling;

static int64_t fill_slices(void *job, int64_t begin, int64_t end)
{
    const csell_filling *f = job;
    int64_t n = 0;
    for (int64_t s = begin; s < end; s++) {
        const spmv__csell_form *form = spmv__csell_forms[f->to->encoding[s]];
        spmv__slice_rows in = rows_of(f->from, f->l, s);
        in.slice = spmv__csell_slice(f->to, s);
        form->encode(form, &in, f->to->val);
        n += in.nnz;
    }
    return n;
}

static void fill(spmv_csell *out, const spmv_csr *A, const layout *l, spmv__meter *meter)
{
    const int64_t n = spmv__csell_slices(out);
    csell_filling job = {A, l, out};
    if (l->perm != NULL) memcpy(out->perm, l->perm, (size_t)A->rows * sizeof *l->perm);
    for (int64_t s = 0; s < n; s++) {
        out->encoding[s] = l->choices[s].encoding;
        out->slice_ptr[s + 1] = out->slice_ptr[s] + l->choices[s].steps * l->slice;
        out->code_ptr[s + 1] = out->code_ptr[s] + l->choices[s].words;
    }
    spmv__in_portions(fill_slices, &job, n, A->nnz, spmv__threads_for(A->nnz), meter);
}

static void describe(spmv_csell *out, const layout *l)
{
    out->slice = l->slice;
    out->window = l->window;
    out->slots = l->slots;
    out->words = l->words;
}

spmv_status spmv__csell_plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                             const spmv_convert_options *build, spmv_error *err)
{
    spmv__meter nobody = {0};
    layout l = {0};
    *out = spmv__blank(SPMV_CSELL, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    spmv_status st = spmv__check_head(out, err);
    if (st == SPMV_SUCCESS) st = best_layout(&l, A, build, &nobody, err);
    describe(&out->csell, &l);
    *filled = (double)l.slots;
    clear_layout(&l);
    return st;
}

spmv_status spmv__csell_from_csr(spmv_matrix *out, const spmv_csr *A,
                                 const spmv_convert_options *build, spmv__meter *meter,
                                 spmv_error *err)
{
    spmv_status st;
    layout l = {0};
    char what[64];
    spmv_matrix B = spmv__blank(SPMV_CSELL, A->type, A->symmetry, A->rows, A->cols, A->nnz);

    SPMV__TRY(spmv__check_head(&B, err));
    SPMV__TRY(best_layout(&l, A, build, meter, err));
    snprintf(what, sizeof what, "CSELL of slices of %lld", (long long)l.slice);
    SPMV__TRY(spmv__check_fill(A->nnz, (double)l.slots, what, build, err));
    describe(&B.csell, &l);
    SPMV__TRY(spmv__allocate(&B, err));
    fill(&B.csell, A, &l, meter);
    *out = B;
done:
    clear_layout(&l);
    return st;
}
