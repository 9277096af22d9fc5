/* sell.c -- sliced ELLPACK (SELL-C-sigma): rows sorted by length within windows, then cut into
 * slices, each padded to its own longest row only.
 *
 * Idea: ELL for every few rows.  Neighbouring threads still read neighbouring entries, but a long
 * row costs padding in its own slice alone, and sorting within windows puts rows of one length
 * together without parting neighbours that share parts of x by more than a window.
 * Source: Kreutzer, Hager, Wellein, Fehske and Bishop, SIAM J. Sci. Comput. 36 (2014). */
#include "core/multiply/multiply.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/base/meter.h"
#include "core/storage/ell.h"
#include "core/matrix/row_windows.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_SLICE = 32,   /* the threads of a warp */
    DEFAULT_WINDOW = 128, /* slices that are sorted together, where sorting pays */
    WORTH = 10            /* sort where padding would be more than one slot in so many */
};

static int64_t slices_of(const spmv_sell *A)
{
    return A->rows / A->slice + (A->rows % A->slice != 0);
}

/* ---- Arrays --------------------------------------------------------------------------------- */

static int64_t sorted_rows(const spmv_matrix *A)
{
    return A->sell.window > 1 ? A->head.rows : 0;
}

static int64_t slices_plus_1(const spmv_matrix *A)
{
    return A->sell.slice > 0 ? slices_of(&A->sell) + 1 : -1;
}

static int64_t slots(const spmv_matrix *A)
{
    return A->sell.slots;
}

static const spmv__array arrays[] = {
    {"perm", offsetof(spmv_matrix, sell.perm), SPMV__TARGETS, SPMV__I32, sorted_rows},
    {"slice_ptr", offsetof(spmv_matrix, sell.slice_ptr), SPMV__OFFSETS, SPMV__I64, slices_plus_1},
    {"col_idx", offsetof(spmv_matrix, sell.col_idx), SPMV__INDICES, SPMV__I32, slots},
    {"val", offsetof(spmv_matrix, sell.val), SPMV__VALUES, SPMV__VALUE, slots},
};
static const size_t params[] = {offsetof(spmv_matrix, sell.slice),
                                offsetof(spmv_matrix, sell.window),
                                offsetof(spmv_matrix, sell.slots)};

static spmv_status check_slice(int64_t slice, spmv_error *err)
{
    if (slice >= 1 && slice <= SPMV_SELL_SLICE) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "slices of %lld rows: there must be 1 to %d",
                      (long long)slice, SPMV_SELL_SLICE);
}

spmv_status spmv_sell_create(spmv_sell *out, spmv_type type, int64_t rows, int64_t cols,
                             int64_t slice, int64_t window, int64_t slots, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_SELL, type, SPMV_GENERAL, rows, cols, 0);
    A.sell.slice = slice;
    A.sell.window = window;
    A.sell.slots = slots;
    memset(out, 0, sizeof *out);
    spmv_status st = check_slice(slice, err);
    if (st == SPMV_SUCCESS) st = spmv__check_window(rows, slice, window, err);
    if (st == SPMV_SUCCESS) st = spmv__allocate(&A, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__clear_columns(A.sell.col_idx, slots);
    *out = A.sell;
    return st;
}

/* ---- Places --------------------------------------------------------------------------------- */

/* The row that lane number i, counted through all slices, holds. */
static int64_t row_at(const spmv_sell *A, int64_t i)
{
    return A->window > 1 ? A->perm[i] : i;
}

static int64_t width_of(const spmv_sell *A, int64_t s)
{
    return (A->slice_ptr[s + 1] - A->slice_ptr[s]) / A->slice;
}

/* The lanes of slice s that hold rows. */
static int64_t lanes_of(const spmv_sell *A, int64_t s)
{
    const int64_t left = A->rows - s * A->slice;
    return left < A->slice ? left : A->slice;
}

/* ---- Checking ------------------------------------------------------------------------------- */

static spmv_status check_sizes(const spmv_sell *A, spmv_error *err)
{
    spmv_status st = check_slice(A->slice, err);
    if (st != SPMV_SUCCESS) return st;
    const int64_t n = slices_of(A);
    st = spmv__check_offsets(A->slice_ptr, n, A->slots, "slice_ptr", err);
    for (int64_t s = 0; st == SPMV_SUCCESS && s < n; s++)
        if ((A->slice_ptr[s + 1] - A->slice_ptr[s]) % A->slice != 0)
            st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                            "slice %lld has %lld slots, which %lld rows do not share evenly",
                            (long long)s, (long long)(A->slice_ptr[s + 1] - A->slice_ptr[s]),
                            (long long)A->slice);
    return st;
}

/* The entries of lane number i and the padding after them; adds the entries to *n. */
static spmv_status check_lane(const spmv_matrix *M, int64_t i, int64_t *n, spmv_error *err)
{
    const spmv_sell *A = &M->sell;
    const int64_t s = i / A->slice, width = width_of(A, s);
    int64_t previous = -1;
    bool padding = i >= A->rows;

    for (int64_t k = 0; k < width; k++) {
        const int64_t p = A->slice_ptr[s] + k * A->slice + i % A->slice, c = A->col_idx[p];
        if (c == -1 && !spmv__holds_value(A->type, A->val, p)) {
            padding = true;
            continue;
        }
        if (padding || c == -1)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "slot %lld of slice %lld is padding, but holds an entry",
                              (long long)(p - A->slice_ptr[s]), (long long)s);
        if (!spmv__entry_valid(&M->head, row_at(A, i), c) || c <= previous)
            return spmv__bad_entry(M, p, row_at(A, i), c, err);
        previous = c;
        (*n)++;
    }
    return SPMV_SUCCESS;
}

/* All lanes, each of a window no longer than the one before, or as long and of a later row. */
static spmv_status check_lanes(const spmv_matrix *M, int64_t *n, spmv_error *err)
{
    const spmv_sell *A = &M->sell;
    const int64_t lanes = slices_of(A) * A->slice;
    spmv_status st = SPMV_SUCCESS;
    for (int64_t i = 0, before = 0; i < lanes; i++) {
        const int64_t others = *n;
        SPMV__TRY(check_lane(M, i, n, err));
        const int64_t length = *n - others;
        if (i < A->rows) SPMV__TRY(spmv__check_place(A->perm, A->window, i, length, before, err));
        before = length;
    }
done:
    return st;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    spmv_status st;
    const spmv_sell *A = &M->sell;
    int64_t n = 0;

    SPMV__TRY(check_sizes(A, err));
    SPMV__TRY(spmv__check_windows(A->perm, A->rows, A->slice, A->window, err));
    SPMV__TRY(check_lanes(M, &n, err));
    if (n != A->nnz)
        st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "SELL holds %lld entries, expected %lld",
                        (long long)n, (long long)A->nnz);
done:
    return st;
}

/* ---- Converting ----------------------------------------------------------------------------- */

/* Slots of slice s, given the order of the rows. */
static int64_t slice_slots(const spmv_sell *out, const spmv_csr *A, int64_t s)
{
    int64_t width = 0;
    for (int64_t i = s * out->slice; i < s * out->slice + lanes_of(out, s); i++) {
        const int64_t r = row_at(out, i), length = A->row_ptr[r + 1] - A->row_ptr[r];
        if (length > width) width = length;
    }
    return width * out->slice;
}

static int64_t count_slots(const spmv_sell *out, const spmv_csr *A)
{
    int64_t total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total) num_threads(spmv__threads(0)) \
    if (A->nnz > SPMV__PARALLEL_NNZ)
    for (int64_t s = 0; s < slices_of(out); s++) total += slice_slots(out, A, s);
    return total;
}

/* Slice, window, order of the rows and slots; *perm is the caller's to free. */
static spmv_status lay_out(spmv_sell *out, int32_t **perm, const spmv_csr *A,
                           const spmv_convert_options *build, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const int64_t slice = build != NULL ? build->sell_slice : 0;
    const int64_t window = build != NULL ? build->sell_window : 0;

    out->slice = slice > 0 ? slice : DEFAULT_SLICE;
    out->window = 1;
    out->slots = count_slots(out, A);
    if (window > 1)
        out->window = spmv__whole_slices(A->rows, out->slice, window);
    else if (window == 0 && out->slots - A->nnz > out->slots / WORTH)
        out->window = spmv__whole_slices(A->rows, out->slice, DEFAULT_WINDOW * out->slice);
    if (out->window > 1) {
        SPMV__TRY(spmv__alloc(perm, A->rows, sizeof **perm, "perm", err));
        SPMV__TRY(spmv__sort_windows(*perm, out->window, A, err));
        out->perm = *perm;
        out->slots = count_slots(out, A);
    }
done:
    return st;
}

/* Returns the entries of slice s. */
static int64_t fill_slice(const spmv_sell *out, const spmv_csr *A, int64_t s)
{
    int64_t n = 0;
    for (int64_t lane = 0; lane < lanes_of(out, s); lane++) {
        const int64_t r = row_at(out, s * out->slice + lane), begin = A->row_ptr[r];
        const int64_t length = A->row_ptr[r + 1] - begin;
        for (int64_t k = 0; k < length; k++) {
            const int64_t p = out->slice_ptr[s] + k * out->slice + lane;
            out->col_idx[p] = A->col_idx[begin + k];
            spmv__copy_value(A->type, out->val, p, A->val, begin + k);
        }
        n += length;
    }
    return n;
}

typedef struct sell_filling {
    const spmv_csr *from;
    spmv_sell *to;
} sell_filling;

static int64_t fill_slices(void *job, int64_t begin, int64_t end)
{
    const sell_filling *f = job;
    int64_t n = 0;
    for (int64_t s = begin; s < end; s++) n += fill_slice(f->to, f->from, s);
    return n;
}

static spmv_status plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_convert_options *build, spmv_error *err)
{
    int32_t *perm = NULL;
    *out = spmv__blank(SPMV_SELL, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    spmv_status st = spmv__check_head(out, err);
    if (st == SPMV_SUCCESS) st = lay_out(&out->sell, &perm, A, build, err);
    *filled = (double)out->sell.slots;
    out->sell.perm = NULL;
    free(perm);
    return st;
}

static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    int32_t *perm = NULL;
    char what[64];
    spmv_matrix B = spmv__blank(SPMV_SELL, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    spmv_sell *sell = &B.sell;
    sell_filling job = {A, sell};

    SPMV__TRY(spmv__check_head(&B, err));
    SPMV__TRY(lay_out(sell, &perm, A, build, err));
    snprintf(what, sizeof what, "SELL of slices of %lld", (long long)sell->slice);
    SPMV__TRY(spmv__check_fill(A->nnz, (double)sell->slots, what, build, err));
    SPMV__TRY(spmv__allocate(&B, err));
    if (perm != NULL) memcpy(sell->perm, perm, (size_t)A->rows * sizeof *perm);
    for (int64_t s = 0; s < slices_of(sell); s++)
        sell->slice_ptr[s + 1] = sell->slice_ptr[s] + slice_slots(sell, A, s);
    spmv__clear_columns(sell->col_idx, sell->slots);
    spmv__in_portions(fill_slices, &job, slices_of(sell), A->nnz, spmv__threads_for(A->nnz), meter);
    *out = B;
done:
    free(perm);
    return st;
}

static void clear_padding(spmv_matrix *A)
{
    spmv__clear_padding(A->sell.type, A->sell.col_idx, A->sell.val, A->sell.slots);
}

/* ---- Looking inside ------------------------------------------------------------------------- */

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    const spmv_sell *A = &M->sell;
    for (int64_t s = 0; s < slices_of(A); s++) {
        for (int64_t p = A->slice_ptr[s]; p < A->slice_ptr[s + 1]; p++) {
            const int64_t lane = (p - A->slice_ptr[s]) % A->slice;
            if (A->col_idx[p] >= 0)
                visit(user, row_at(A, s * A->slice + lane), A->col_idx[p],
                      spmv__value_at(A->type, A->val, p));
        }
    }
}

/* O(window + row length): the permutation is stored in one direction only. */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_sell *A = &M->sell;
    int64_t i = row - row % A->window;
    while (row_at(A, i) != row) i++;
    const int64_t s = i / A->slice;
    for (int64_t p = A->slice_ptr[s] + i % A->slice; p < A->slice_ptr[s + 1]; p += A->slice)
        if (A->col_idx[p] == col) return spmv__scalar(A->type, A->val, p);
    return spmv__number(0, 0);
}

const spmv__format spmv__sell_format = {
    .name = "sell",
    .max_rows = INT32_MAX,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 4,
    .params = params,
    .param_count = 3,
    .check = check,
    .from_csr = from_csr,
    .plan = plan,
    .walks = 1,
    .clear_padding = clear_padding,
    .each = each,
    .get = get,
    .multiply = spmv__sell_multiply,
    .kernel = "cpu-sell",
    .kernel_summary = "slices of sorted rows, one padded column after the other",
};
