/* coo.c -- coordinates: one row, column and value per entry, sorted by row, then column. */
#include "core/multiply/multiply.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/base/meter.h"

static int64_t nnz(const spmv_matrix *A)
{
    return A->head.nnz;
}

static const spmv__array arrays[] = {
    {"row_idx", offsetof(spmv_matrix, coo.row_idx), SPMV__TARGETS, SPMV__I64, nnz},
    {"col_idx", offsetof(spmv_matrix, coo.col_idx), SPMV__INDICES, SPMV__I64, nnz},
    {"val", offsetof(spmv_matrix, coo.val), SPMV__VALUES, SPMV__VALUE, nnz},
};

spmv_status spmv_coo_create(spmv_coo *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_COO, type, SPMV_GENERAL, rows, cols, nnz);
    spmv_status st = spmv__allocate(&A, err);
    *out = A.coo;
    return st;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    const spmv_coo *A = &M->coo;
    int64_t previous_row = -1, previous_col = -1;
    for (int64_t p = 0; p < A->nnz; p++) {
        int64_t r = A->row_idx[p], c = A->col_idx[p];
        bool ascending = r > previous_row || (r == previous_row && c > previous_col);
        if (!spmv__entry_valid(&M->head, r, c) || !ascending)
            return spmv__bad_entry(M, p, r, c, err);
        previous_row = r;
        previous_col = c;
    }
    return SPMV_SUCCESS;
}

/* One matrix in both formats: the entries are in the same order. */
typedef struct pair {
    const spmv_csr *csr;
    const spmv_coo *coo;
} pair;

static int64_t rows_from_csr(void *job, int64_t begin, int64_t end)
{
    const spmv_csr *A = ((const pair *)job)->csr;
    const spmv_coo *to = ((const pair *)job)->coo;
    const int64_t first = A->row_ptr[begin], behind = A->row_ptr[end];
    for (int64_t r = begin; r < end; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            to->row_idx[p] = r;
            to->col_idx[p] = A->col_idx[p];
        }
    }
    spmv__copy_values(A->type, to->val, first, A->val, first, behind - first);
    return behind - first;
}

static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    (void)build;
    spmv_matrix B = spmv__blank(SPMV_COO, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    pair job = {A, &B.coo};
    const spmv_status st = spmv__allocate(&B, err);
    if (st == SPMV_SUCCESS)
        spmv__in_portions(rows_from_csr, &job, A->rows, A->nnz, spmv__threads_for(A->nnz), meter);
    *out = B;
    return st;
}

static int64_t count_rows(void *job, int64_t begin, int64_t end)
{
    const pair *j = job;
    for (int64_t p = begin; p < end; p++) j->csr->row_ptr[j->coo->row_idx[p] + 1]++;
    return end - begin;
}

static int64_t entries_to_csr(void *job, int64_t begin, int64_t end)
{
    const spmv_csr *to = ((const pair *)job)->csr;
    const spmv_coo *A = ((const pair *)job)->coo;
    for (int64_t p = begin; p < end; p++) to->col_idx[p] = (int32_t)A->col_idx[p];
    spmv__copy_values(A->type, to->val, begin, A->val, begin, end - begin);
    return end - begin;
}

/* The entries are in order already: only the row pointers are to be counted. */
static spmv_status to_csr(spmv_csr *out, const spmv_matrix *M, spmv__meter *meter, spmv_error *err)
{
    const spmv_coo *A = &M->coo;
    spmv_matrix B = spmv__blank(SPMV_CSR, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    pair job = {&B.csr, A};
    const spmv_status st = spmv__allocate(&B, err);
    if (st == SPMV_SUCCESS) {
        spmv__in_portions(count_rows, &job, A->nnz, A->nnz, 1, meter);
        spmv__counts_to_offsets(B.csr.row_ptr, A->rows);
        spmv__in_portions(entries_to_csr, &job, A->nnz, A->nnz, spmv__threads_for(A->nnz), meter);
    }
    *out = B.csr;
    return st;
}

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    const spmv_coo *A = &M->coo;
    for (int64_t p = 0; p < A->nnz; p++)
        visit(user, A->row_idx[p], A->col_idx[p], spmv__value_at(A->type, A->val, p));
}

/* O(log nnz) */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_coo *A = &M->coo;
    int64_t low = 0, high = A->nnz; /* the entry, if there is one, is in [low, high) */
    while (low < high) {
        int64_t p = low + (high - low) / 2;
        if (A->row_idx[p] == row && A->col_idx[p] == col) return spmv__scalar(A->type, A->val, p);
        if (A->row_idx[p] < row || (A->row_idx[p] == row && A->col_idx[p] < col))
            low = p + 1;
        else
            high = p;
    }
    return spmv__number(0, 0);
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

static void multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha, const void *x,
                     spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__entries entries = spmv__coo_entries(&A->coo);
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__entries_multiply(&entries, vector_type, x, &out, threads);
}

const spmv__format spmv__coo_format = {
    .name = "coo",
    .max_rows = INT64_MAX,
    .max_cols = INT64_MAX,
    .arrays = arrays,
    .array_count = 3,
    .check = check,
    .from_csr = from_csr,
    .walks = 1,
    .to_csr = to_csr,
    .each = each,
    .get = get,
    .multiply = multiply,
    .kernel = "cpu-coo",
    .kernel_summary = "equal shares of rows and nonzeros for every thread",
};
