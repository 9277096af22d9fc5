/* hyb.c -- hybrid: the first entries of every row in ELL, what is longer in COO.
 *
 * The default width is the largest k such that at least a third of the rows have k or more
 * entries: the ELL part is then never padded to more than three slots per nonzero.  Source: Bell
 * and Garland, Implementing sparse matrix-vector multiplication on throughput-oriented processors,
 * SC 2009, section 3.3, without its second condition (4096 rows), which is about one GPU. */
#include "core/multiply/multiply.h"
#include "core/matrix/row_windows.h"
#include "core/matrix/value.h"
#include "core/storage/ell.h"

#include <stdlib.h>

static int64_t slots(const spmv_matrix *A)
{
    int64_t n;
    return spmv__product(A->hyb.ell.width, A->head.rows, &n) ? n : -1;
}

static int64_t overflow(const spmv_matrix *A)
{
    return A->hyb.coo.nnz;
}

static const spmv__array arrays[] = {
    {"ell.col_idx", offsetof(spmv_matrix, hyb.ell.col_idx), SPMV__INDICES, SPMV__I32, slots},
    {"ell.val", offsetof(spmv_matrix, hyb.ell.val), SPMV__VALUES, SPMV__VALUE, slots},
    {"coo.row_idx", offsetof(spmv_matrix, hyb.coo.row_idx), SPMV__TARGETS, SPMV__I64, overflow},
    {"coo.col_idx", offsetof(spmv_matrix, hyb.coo.col_idx), SPMV__INDICES, SPMV__I64, overflow},
    {"coo.val", offsetof(spmv_matrix, hyb.coo.val), SPMV__VALUES, SPMV__VALUE, overflow},
};
static const size_t params[] = {offsetof(spmv_matrix, hyb.ell.width),
                                offsetof(spmv_matrix, hyb.coo.nnz)};

/* Both parts have the head of the whole, with their own share of the entries. */
static void adopt(spmv_matrix *A)
{
    spmv_hyb *H = &A->hyb;
    H->ell.type = H->coo.type = H->type;
    H->ell.symmetry = H->coo.symmetry = H->symmetry;
    H->ell.rows = H->coo.rows = H->rows;
    H->ell.cols = H->coo.cols = H->cols;
    H->ell.nnz = H->nnz - H->coo.nnz;
    H->ell.storage = H->coo.storage = NULL;
}

spmv_status spmv_hyb_create(spmv_hyb *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t ell_width, int64_t coo_nnz, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_HYB, type, SPMV_GENERAL, rows, cols, coo_nnz);
    A.hyb.ell.width = ell_width;
    A.hyb.coo.nnz = coo_nnz;
    spmv_status st = spmv__allocate(&A, err);
    if (st == SPMV_SUCCESS) spmv__ell_clear(&A.hyb.ell);
    *out = A.hyb;
    return st;
}

static bool same_head(const spmv_hyb *A, const spmv_head *part)
{
    return part->type == A->type && part->symmetry == A->symmetry && part->rows == A->rows &&
           part->cols == A->cols && part->storage == NULL;
}

/* A row may overflow only when its ELL part is full, and only to the right. */
static spmv_status check_overflow(const spmv_matrix *M, spmv_error *err)
{
    const spmv_ell *E = &M->hyb.ell;
    const spmv_coo *C = &M->hyb.coo;
    for (int64_t p = 0; p < C->nnz && E->width > 0; p++) {
        int64_t r = C->row_idx[p], last = E->col_idx[(E->width - 1) * E->rows + r];
        if (last == -1)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "row %lld overflows though its ELL part is not full", (long long)r);
        if (C->col_idx[p] <= last) return spmv__bad_entry(M, p, r, C->col_idx[p], err);
    }
    return SPMV_SUCCESS;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    spmv_status st;
    const spmv_hyb *A = &M->hyb;
    spmv_matrix part = {.format = SPMV_COO};

    if (A->ell.nnz < 0 || A->nnz - A->coo.nnz != A->ell.nnz)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "HYB of %lld entries has parts of %lld and %lld", (long long)A->nnz,
                          (long long)A->ell.nnz, (long long)A->coo.nnz);
    part.ell = A->ell;
    if (!same_head(A, &part.head))
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the ELL part differs from its HYB");
    part.coo = A->coo;
    if (!same_head(A, &part.head))
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the COO part differs from its HYB");
    SPMV__TRY(spmv__ell_check(M, &A->ell, err));
    SPMV__TRY(spmv__coo_format.check(&part, err));
    SPMV__TRY(check_overflow(M, err));
done:
    return st;
}

/* The default width, see above: walk down the row-length histogram from the longest row. */
static spmv_status choose_width(const spmv_csr *A, int64_t *width, spmv_error *err)
{
    int64_t *count = NULL; /* [k + 1], rows of each length */
    int64_t k = spmv__longest_row(A), third = (A->rows + 2) / 3;
    spmv_status st = spmv__alloc(&count, k + 1, sizeof *count, "row-length histogram", err);
    if (st != SPMV_SUCCESS) return st;

    for (int64_t r = 0; r < A->rows; r++) count[A->row_ptr[r + 1] - A->row_ptr[r]]++;
    int64_t long_enough = count[k]; /* rows with k or more entries */
    while (k > 0 && long_enough < third) long_enough += count[--k];
    *width = k;
    free(count);
    return SPMV_SUCCESS;
}

/* The number of entries that do not fit into the ELL part. */
static int64_t count_overflow(const spmv_csr *A, int64_t width)
{
    int64_t n = 0;
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t length = A->row_ptr[r + 1] - A->row_ptr[r];
        if (length > width) n += length - width;
    }
    return n;
}

typedef struct overflowing {
    const spmv_csr *from;
    spmv_hyb *to;
    int64_t next; /* place in the COO part */
} overflowing;

static int64_t fill_overflow(void *job, int64_t begin, int64_t end)
{
    overflowing *o = job;
    const spmv_csr *A = o->from;
    const spmv_coo *out = &o->to->coo;
    const int64_t width = o->to->ell.width, before = o->next;
    int64_t q = before;
    for (int64_t r = begin; r < end; r++) {
        for (int64_t p = A->row_ptr[r] + width; p < A->row_ptr[r + 1]; p++, q++) {
            out->row_idx[q] = r;
            out->col_idx[q] = A->col_idx[p];
            spmv__copy_value(A->type, out->val, q, A->val, p);
        }
    }
    o->next = q;
    return q - before;
}

static spmv_status plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_convert_options *build, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int64_t width = build != NULL ? build->hyb_width : 0;

    *out = spmv__blank(SPMV_HYB, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    if (width == 0) SPMV__TRY(choose_width(A, &width, err));
    if (width < 0) width = 0;
    out->hyb.ell.width = width;
    out->hyb.coo.nnz = count_overflow(A, width);
    *filled = (double)width * (double)A->rows;
done:
    return st;
}

/* Fewer rows than a third have entries, so that none of them is as long as the ELL part is wide. */
static spmv_status plan_sparse(spmv_matrix *out, double *filled, const spmv_row_stats *rows,
                               const spmv_convert_options *build, spmv_error *err)
{
    (void)filled;
    out->hyb.coo.nnz = rows->nnz;
    if (build == NULL || build->hyb_width <= 0) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "the size of HYB of a given width is not worked out where rows are far more "
                      "than entries");
}

static void clear_padding(spmv_matrix *A)
{
    spmv__clear_padding(A->head.type, A->hyb.ell.col_idx, A->hyb.ell.val, slots(A));
}

static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    spmv_matrix B;
    overflowing job = {A, &B.hyb, 0};
    double filled;

    SPMV__TRY(plan(&B, &filled, A, build, err));
    SPMV__TRY(spmv__hyb_check_fill(A, B.hyb.ell.width, build, err));
    SPMV__TRY(spmv__allocate(&B, err));
    spmv__ell_fill(&B.hyb.ell, A, meter);
    spmv__in_portions(fill_overflow, &job, A->rows, B.hyb.coo.nnz, 1, meter);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    *out = B;
    return st;
}

/* Overflow lies to the right of the ELL part, so this order keeps the columns ascending. */
static void each(const spmv_matrix *A, spmv__visit visit, void *user)
{
    spmv_matrix part = {.format = SPMV_COO, .coo = A->hyb.coo};
    spmv__ell_each(&A->hyb.ell, visit, user);
    spmv__coo_format.each(&part, visit, user);
}

/* O(width + log overflow) */
static spmv_scalar get(const spmv_matrix *A, int64_t row, int64_t col)
{
    spmv_matrix part = {.format = SPMV_COO, .coo = A->hyb.coo};
    spmv_scalar value;
    if (spmv__ell_find(&A->hyb.ell, row, col, &value)) return value;
    return spmv__coo_format.get(&part, row, col);
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

/* The sums of the ELL part wait in scratch, in double precision, and the walk over the coordinates
 * adds them to its own: y is rounded once. */
static void multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha, const void *x,
                     spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__diagonals ell = spmv__ell_diagonals(&A->hyb.ell);
    const spmv__entries coo = spmv__coo_entries(&A->hyb.coo);
    const spmv__output sums = {
        .type = spmv__double_type(vector_type), .alpha = {1, 0}, .y = scratch};
    const spmv__output out = {
        .type = vector_type, .alpha = alpha, .beta = beta, .add = scratch, .y = y};

    spmv__diagonals_multiply(&ell, vector_type, x, &sums, threads);
    spmv__entries_multiply(&coo, vector_type, x, &out, threads);
}

const spmv__format spmv__hyb_format = {
    .name = "hyb",
    .max_rows = INT64_MAX,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 5,
    .params = params,
    .param_count = 2,
    .adopt = adopt,
    .check = check,
    .from_csr = from_csr,
    .plan = plan,
    .plan_sparse = plan_sparse,
    .walks = 1,
    .clear_padding = clear_padding,
    .each = each,
    .get = get,
    .scratch = true,
    .multiply = multiply,
    .kernel = "cpu-hyb",
    .kernel_summary = "the ELL part, then the overflow",
};
