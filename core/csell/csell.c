/* csell.c -- sliced ELLPACK with compressed columns: what a multiplication waits for is memory, and
 * most matrices have columns that take fewer bytes than four.
 *
 * Idea: slices as in SELL, but every slice has its columns in a form of its own: csell_slots.c,
 * csell_steps.c and csell_lists.c have the forms, and csell_choice.c chooses. */
#include "core/matrix/format.h"
#include "core/base/meter.h"
#include "core/csell/csell.h"
#include "core/matrix/row_windows.h"

#include <stdlib.h>

/* ---- Arrays --------------------------------------------------------------------------------- */

static int64_t sorted_rows(const spmv_matrix *A)
{
    return A->csell.window > 1 ? A->head.rows : 0;
}

static int64_t slices(const spmv_matrix *A)
{
    return A->csell.slice > 0 ? spmv__csell_slices(&A->csell) : -1;
}

static int64_t slices_plus_1(const spmv_matrix *A)
{
    return A->csell.slice > 0 ? spmv__csell_slices(&A->csell) + 1 : -1;
}

static int64_t words(const spmv_matrix *A)
{
    return A->csell.words;
}

static int64_t slots(const spmv_matrix *A)
{
    return A->csell.slots;
}

static const spmv__array arrays[] = {
    {"perm", offsetof(spmv_matrix, csell.perm), SPMV__TARGETS, SPMV__I32, sorted_rows},
    {"encoding", offsetof(spmv_matrix, csell.encoding), SPMV__TARGETS, SPMV__I32, slices},
    {"code_ptr", offsetof(spmv_matrix, csell.code_ptr), SPMV__OFFSETS, SPMV__I64, slices_plus_1},
    {"code", offsetof(spmv_matrix, csell.code), SPMV__INDICES, SPMV__I32, words},
    {"slice_ptr", offsetof(spmv_matrix, csell.slice_ptr), SPMV__OFFSETS, SPMV__I64, slices_plus_1},
    {"val", offsetof(spmv_matrix, csell.val), SPMV__VALUES, SPMV__VALUE, slots},
};
static const size_t params[] = {
    offsetof(spmv_matrix, csell.slice), offsetof(spmv_matrix, csell.window),
    offsetof(spmv_matrix, csell.slots), offsetof(spmv_matrix, csell.words)};

static spmv_status check_slice(int64_t slice, spmv_error *err)
{
    if (slice >= 1 && slice <= SPMV_CSELL_SLICE && slice % SPMV_CSELL_LANES == 0)
        return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "slices of %lld rows are not a multiple of %d up to %d", (long long)slice,
                      SPMV_CSELL_LANES, SPMV_CSELL_SLICE);
}

spmv_status spmv_csell_create(spmv_csell *out, spmv_type type, int64_t rows, int64_t cols,
                              int64_t slice, int64_t window, int64_t slots, int64_t words,
                              spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_CSELL, type, SPMV_GENERAL, rows, cols, 0);
    A.csell.slice = slice;
    A.csell.window = window;
    A.csell.slots = slots;
    A.csell.words = words;
    memset(out, 0, sizeof *out);
    spmv_status st = check_slice(slice, err);
    if (st == SPMV_SUCCESS) st = spmv__check_window(rows, slice, window, err);
    if (st == SPMV_SUCCESS) st = spmv__allocate(&A, err);
    if (st == SPMV_SUCCESS) *out = A.csell;
    return st;
}

/* ---- Checking ------------------------------------------------------------------------------- */

static spmv_status check_sizes(const spmv_csell *A, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(check_slice(A->slice, err));
    const int64_t n = spmv__csell_slices(A);
    SPMV__TRY(spmv__check_windows(A->perm, A->rows, A->slice, A->window, err));
    SPMV__TRY(spmv__check_offsets(A->slice_ptr, n, A->slots, "slice_ptr", err));
    SPMV__TRY(spmv__check_offsets(A->code_ptr, n, A->words, "code_ptr", err));
done:
    return st;
}

/* Slice s has a form, and what this form needs. */
static spmv_status check_form(const spmv_csell *A, int64_t s, spmv_error *err)
{
    const int64_t n = A->slice_ptr[s + 1] - A->slice_ptr[s];
    if (A->encoding[s] < 0 || A->encoding[s] >= SPMV_CSELL_ENCODINGS)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "slice %lld has no encoding %d",
                          (long long)s, A->encoding[s]);
    if (n % A->slice != 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "slice %lld has %lld slots, which %lld rows do not share evenly",
                          (long long)s, (long long)n, (long long)A->slice);
    const spmv__csell_form *form = spmv__csell_forms[A->encoding[s]];
    const spmv__slice slice = spmv__csell_slice(A, s);
    const int64_t found = A->code_ptr[s + 1] - A->code_ptr[s];
    const bool listed = form->listed && found >= spmv__list_head(A->slice);
    const int64_t needed =
        form->words(form, A->slice, slice.steps, listed ? spmv__list_codes(&slice) : 0);
    if (found != needed)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "slice %lld has %lld words, expected %lld for %lld steps of encoding %d",
                          (long long)s, (long long)found, (long long)needed, (long long)slice.steps,
                          A->encoding[s]);
    if (!form->tidy(form, &slice))
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "slice %lld has words of encoding %d that are out of order", (long long)s,
                          A->encoding[s]);
    return SPMV_SUCCESS;
}

/* Facts about the lanes of a slice, as far as it was checked. */
typedef struct lanes {
    int32_t previous[SPMV_CSELL_SLICE]; /* the last column or -1; INT32_MAX after padding that is
                                           the last of its lane */
    int64_t length[SPMV_CSELL_SLICE];   /* entries */
} lanes;

/* Step k of a slice. */
static spmv_status check_step(const spmv_matrix *M, int64_t s, const spmv__slice *slice, int64_t k,
                              lanes *found, spmv_error *err)
{
    const spmv_csell *A = &M->csell;
    const bool gaps = spmv__csell_forms[A->encoding[s]]->gaps;
    int32_t col[SPMV_CSELL_SLICE], *previous = found->previous;
    spmv__csell_decode(A, s, slice, k, 0, slice->lanes, col);
    for (int64_t lane = 0; lane < slice->lanes; lane++) {
        const int64_t p = slice->slot + k * slice->lanes + lane;
        if (col[lane] == SPMV__CSELL_PADDING && !spmv__holds_value(A->type, A->val, p)) {
            if (!gaps) previous[lane] = INT32_MAX;
            continue;
        }
        if (col[lane] == SPMV__CSELL_PADDING || lane >= slice->rows || previous[lane] == INT32_MAX)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "step %lld of lane %lld in slice %lld is padding, but holds an entry",
                              (long long)k, (long long)lane, (long long)s);
        const int64_t r = spmv__slice_row(slice, lane);
        if (!spmv__entry_valid(&M->head, r, col[lane]) || col[lane] <= previous[lane])
            return spmv__bad_entry(M, p, r, col[lane], err);
        previous[lane] = col[lane];
        found->length[lane]++;
    }
    return SPMV_SUCCESS;
}

/* Each row of a window is no longer than the one before, or as long and a later one; adds the
 * entries to *n.  *before is the length of the last row so far. */
static spmv_status check_order(const spmv_csell *A, const spmv__slice *slice, const lanes *found,
                               int64_t *before, int64_t *n, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int64_t lane = 0; lane < slice->rows; lane++) {
        const int64_t length = found->length[lane];
        SPMV__TRY(spmv__check_place(A->perm, A->window, slice->first + lane, length, *before, err));
        *before = length;
        *n += length;
    }
done:
    return st;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    spmv_status st;
    const spmv_csell *A = &M->csell;
    int64_t before = 0, n = 0;

    SPMV__TRY(check_sizes(A, err));
    for (int64_t s = 0; s < spmv__csell_slices(A); s++) {
        SPMV__TRY(check_form(A, s, err));
        const spmv__slice slice = spmv__csell_slice(A, s);
        lanes found;
        memset(found.length, 0, (size_t)slice.lanes * sizeof *found.length);
        spmv__clear_columns(found.previous, slice.lanes);
        for (int64_t k = 0; k < slice.steps; k++)
            SPMV__TRY(check_step(M, s, &slice, k, &found, err));
        SPMV__TRY(check_order(A, &slice, &found, &before, &n, err));
    }
    if (n != A->nnz)
        st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "CSELL holds %lld entries, expected %lld",
                        (long long)n, (long long)A->nnz);
done:
    return st;
}

/* ---- Looking inside ------------------------------------------------------------------------- */

/* Call what(user, row, col, p) for every entry p of slice s; returns how many there are. */
typedef void (*visit_slot)(void *user, int64_t row, int64_t col, int64_t p);
static int64_t each_of_slice(const spmv_csell *A, int64_t s, visit_slot what, void *user)
{
    const spmv__slice slice = spmv__csell_slice(A, s);
    int32_t col[SPMV_CSELL_SLICE];
    int64_t n = 0;
    for (int64_t k = 0; k < slice.steps; k++) {
        spmv__csell_decode(A, s, &slice, k, 0, slice.rows, col);
        for (int64_t lane = 0; lane < slice.rows; lane++) {
            if (col[lane] < 0) continue;
            what(user, spmv__slice_row(&slice, lane), col[lane],
                 slice.slot + k * slice.lanes + lane);
            n++;
        }
    }
    return n;
}

typedef struct visitor {
    const spmv_csell *A;
    spmv__visit visit;
    void *user;
} visitor;

static void visit_value(void *user, int64_t row, int64_t col, int64_t p)
{
    const visitor *v = user;
    v->visit(v->user, row, col, spmv__value_at(v->A->type, v->A->val, p));
}

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    visitor v = {&M->csell, visit, user};
    for (int64_t s = 0; s < spmv__csell_slices(&M->csell); s++)
        each_of_slice(&M->csell, s, visit_value, &v);
}

/* O(window + steps): the permutation is stored in one direction only. */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_csell *A = &M->csell;
    int64_t i = row - row % A->window;
    while (A->window > 1 && A->perm[i] != row) i++;
    const int64_t s = i / A->slice, lane = i % A->slice;
    const spmv__slice slice = spmv__csell_slice(A, s);
    for (int64_t k = 0; k < slice.steps; k++) {
        int32_t found;
        spmv__csell_decode(A, s, &slice, k, lane, 1, &found);
        if (found == col) return spmv__scalar(A->type, A->val, slice.slot + k * slice.lanes + lane);
    }
    return spmv__number(0, 0);
}

static void clear_padding(spmv_matrix *M)
{
    const spmv_csell *A = &M->csell;
    int32_t col[SPMV_CSELL_SLICE];
    for (int64_t s = 0; s < spmv__csell_slices(A); s++) {
        const spmv__slice slice = spmv__csell_slice(A, s);
        for (int64_t k = 0; k < slice.steps; k++) {
            spmv__csell_decode(A, s, &slice, k, 0, slice.lanes, col);
            for (int64_t lane = 0; lane < slice.lanes; lane++)
                if (col[lane] < 0)
                    spmv__set_value(A->type, A->val, slice.slot + k * slice.lanes + lane, 0);
        }
    }
}

/* ---- To CSR --------------------------------------------------------------------------------- */

/* Every row lies in one slice: threads never meet. */
typedef struct csell_scatter {
    const spmv_csell *from;
    spmv_csr *to;
    int64_t *next;   /* [rows], where the next entry of a row goes */
    visit_slot what; /* to do with an entry */
} csell_scatter;

static void count_entry(void *user, int64_t row, int64_t col, int64_t p)
{
    (void)col, (void)p;
    ((csell_scatter *)user)->to->row_ptr[row + 1]++;
}

static void place_entry(void *user, int64_t row, int64_t col, int64_t p)
{
    csell_scatter *s = user;
    const int64_t q = s->next[row]++;
    s->to->col_idx[q] = (int32_t)col;
    spmv__copy_value(s->to->type, s->to->val, q, s->from->val, p);
}

static int64_t visit_slices(void *job, int64_t begin, int64_t end)
{
    csell_scatter *to = job;
    int64_t n = 0;
    for (int64_t s = begin; s < end; s++) n += each_of_slice(to->from, s, to->what, to);
    return n;
}

static void each_slice(csell_scatter *to, visit_slot what, spmv__meter *meter)
{
    const int64_t nnz = to->from->nnz;
    to->what = what;
    spmv__in_portions(visit_slices, to, spmv__csell_slices(to->from), nnz, spmv__threads_for(nnz),
                      meter);
}

static spmv_status to_csr(spmv_csr *out, const spmv_matrix *M, spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    const spmv_head *h = &M->head;
    spmv_matrix B = spmv__blank(SPMV_CSR, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    csell_scatter s = {.from = &M->csell, .to = &B.csr};

    SPMV__TRY(spmv__allocate(&B, err));
    SPMV__TRY(spmv__alloc(&s.next, h->rows, sizeof *s.next, "row positions", err));
    each_slice(&s, count_entry, meter);
    spmv__counts_to_offsets(B.csr.row_ptr, h->rows);
    memcpy(s.next, B.csr.row_ptr, (size_t)h->rows * sizeof *s.next);
    each_slice(&s, place_entry, meter);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    free(s.next);
    *out = B.csr;
    return st;
}

const spmv__format spmv__csell_format = {
    .name = "csell",
    .max_rows = INT32_MAX,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 6,
    .params = params,
    .param_count = 4,
    .check = check,
    .from_csr = spmv__csell_from_csr,
    .plan = spmv__csell_plan,
    .walks = SPMV__CSELL_WALKS,
    .to_csr = to_csr,
    .clear_padding = clear_padding,
    .each = each,
    .get = get,
    .multiply = spmv__csell_multiply,
    .kernel = "cpu-csell",
    .kernel_summary = "slices of rows, columns in the fewest bytes",
};
