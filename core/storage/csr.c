/* csr.c -- compressed rows: the hub of all conversions. */
#include "core/multiply/multiply.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"

static int64_t rows_plus_1(const spmv_matrix *A)
{
    return A->head.rows + 1;
}

static int64_t nnz(const spmv_matrix *A)
{
    return A->head.nnz;
}

static const spmv__array arrays[] = {
    {"row_ptr", offsetof(spmv_matrix, csr.row_ptr), SPMV__OFFSETS, SPMV__I64, rows_plus_1},
    {"col_idx", offsetof(spmv_matrix, csr.col_idx), SPMV__INDICES, SPMV__I32, nnz},
    {"val", offsetof(spmv_matrix, csr.val), SPMV__VALUES, SPMV__VALUE, nnz},
};

spmv_status spmv_csr_create(spmv_csr *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_CSR, type, SPMV_GENERAL, rows, cols, nnz);
    spmv_status st = spmv__allocate(&A, err);
    *out = A.csr;
    return st;
}

/* Entries that are counted at a time: 32 bits are enough, and a cache holds them. */
enum { PORTION = 1 << 14 };

/* The number of entries begin .. end - 1 whose column is not greater than the one before. */
static int64_t count_falls(const int32_t *col, int64_t begin, int64_t end)
{
    int32_t falls = 0;
    for (int64_t p = begin > 0 ? begin : 1; p < end; p++) falls += col[p] <= col[p - 1];
    return falls;
}

/* Returns whether one of these entries has a column that is negative, or beyond the last. */
static bool any_outside(const int32_t *col, int64_t begin, int64_t end, int64_t last)
{
    uint32_t signs = 0;
    for (int64_t p = begin; p < end; p++)
        signs |= (uint32_t)col[p] | ((uint32_t)last - (uint32_t)col[p]);
    return signs >> 31 != 0;
}

/* The number of rows begin .. end - 1 that begin with a column not greater than the last of the row
 * before; the first and the last row that have entries are not among them. */
static int64_t count_begun(const spmv_csr *A, int64_t begin, int64_t end)
{
    const int64_t *ptr = A->row_ptr;
    const int32_t *col = A->col_idx;
    int64_t begun = 0;
    for (int64_t r = begin; r < end; r++)
        begun += (ptr[r] < ptr[r + 1]) & (col[ptr[r]] <= col[ptr[r] - 1]);
    return begun;
}

/* Returns whether one of these rows ends right of the diagonal that lies `shift` below the main
 * one.  In place of an empty row the one before it is looked at, which has less room. */
static bool any_above(const spmv_csr *A, int64_t begin, int64_t end, int64_t shift)
{
    bool above = false;
    for (int64_t r = begin; r < end; r++) above |= A->col_idx[A->row_ptr[r + 1] - 1] > r - shift;
    return above;
}

/* Returns whether columns ascend within their rows and are where they may be.  Everything is
 * counted, without branches: a column that is not greater than the one before has to begin a row.
 */
static bool is_sound(const spmv_matrix *M)
{
    const spmv_csr *A = &M->csr;
    const bool triangle = M->head.symmetry != SPMV_GENERAL;
    const bool parallel = A->nnz >= SPMV__PARALLEL_CHECK_NNZ;
    int64_t first = 0, rows = A->rows, falls = 0, begun = 0;
    bool outside = false, above = false;
    while (first < rows && A->row_ptr[first + 1] == 0) first++;
    while (rows > first && A->row_ptr[rows - 1] == A->nnz) rows--;
    if (parallel) spmv__threads_start();
#pragma omp parallel num_threads(spmv__threads(0)) if (parallel)
    {
#pragma omp for schedule(static) reduction(+ : falls) reduction(|| : outside) nowait
        for (int64_t p = 0; p < A->nnz; p += PORTION) {
            const int64_t end = p + PORTION < A->nnz ? p + PORTION : A->nnz;
            falls += count_falls(A->col_idx, p, end);
            outside = outside || any_outside(A->col_idx, p, end, A->cols - 1);
        }
#pragma omp for schedule(static) reduction(+ : begun) reduction(|| : above)
        for (int64_t r = first; r < rows; r += PORTION) {
            const int64_t end = r + PORTION < rows ? r + PORTION : rows;
            begun += count_begun(A, r > first ? r : r + 1, end);
            above =
                above || (triangle && any_above(A, r, end, M->head.symmetry == SPMV_SKEW ? 1 : 0));
        }
    }
    return !outside && !above && falls == begun;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    const spmv_csr *A = &M->csr;
    spmv_status st = spmv__check_offsets(A->row_ptr, A->rows, A->nnz, "row_ptr", err);
    if (st != SPMV_SUCCESS || is_sound(M)) return st;
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t previous = -1;
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            int64_t c = A->col_idx[p];
            if (!spmv__entry_valid(&M->head, r, c) || c <= previous)
                return spmv__bad_entry(M, p, r, c, err);
            previous = c;
        }
    }
    return st;
}

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    const spmv_csr *A = &M->csr;
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++)
            visit(user, r, A->col_idx[p], spmv__value_at(A->type, A->val, p));
    }
}

/* O(log row length) */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_csr *A = &M->csr;
    int64_t p = spmv__find_i32(A->col_idx, A->row_ptr[row], A->row_ptr[row + 1], col);
    return p >= 0 ? spmv__scalar(A->type, A->val, p) : spmv__number(0, 0);
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

static void multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha, const void *x,
                     spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__entries entries = spmv__csr_entries(&A->csr);
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__entries_multiply(&entries, vector_type, x, &out, threads);
}

static void spmm(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x, spmv_scalar beta,
                 const spmv_dense *y, double *scratch, int threads)
{
    const spmv__entries entries = spmv__csr_entries(&A->csr);
    spmv__entries_spmm(&entries, alpha, x, beta, y, scratch, threads);
}

const spmv__format spmv__csr_format = {
    .name = "csr",
    .max_rows = INT64_MAX - 1,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 3,
    .check = check,
    .each = each,
    .get = get,
    .multiply = multiply,
    .spmm = spmm,
    .kernel = "cpu-csr",
    .kernel_summary = "equal shares of rows and nonzeros for every thread",
};
