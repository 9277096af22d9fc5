/* csr.c -- compressed rows: the hub of all conversions. */
#include "multiply.h"

static int64_t rows_plus_1(const spmv_matrix *A)
{
    return A->head.rows + 1;
}

static int64_t nnz(const spmv_matrix *A)
{
    return A->head.nnz;
}

static const spmv__array arrays[] = {
    {"row_ptr", offsetof(spmv_matrix, csr.row_ptr), SPMV__I64, rows_plus_1},
    {"col_idx", offsetof(spmv_matrix, csr.col_idx), SPMV__I32, nnz},
    {"val", offsetof(spmv_matrix, csr.val), SPMV__VALUE, nnz},
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

/* Do columns ascend within their rows, and is the last of each row where it may be?  The first are
 * counts, without branches: a column that does not come behind the one before it begins a row. */
static bool is_sound(const spmv_matrix *M)
{
    const spmv_csr *A = &M->csr;
    const int32_t *col = A->col_idx;
    /* A check is often the first that is done in parallel: 4 to 30 ms where a thread is started on
     * the processor of the one that waits for it. */
    const bool parallel = A->nnz >= SPMV__PARALLEL_CHECK_NNZ;
    int64_t falls = 0, begun = 0;
    bool valid = true;
#pragma omp parallel if (parallel)
    {
#pragma omp for schedule(static) reduction(+ : falls) nowait
        for (int64_t p = 1; p < A->nnz; p++) falls += col[p] <= col[p - 1];
#pragma omp for schedule(static) reduction(+ : begun) reduction(&& : valid)
        for (int64_t r = 0; r < A->rows; r++) {
            const int64_t begin = A->row_ptr[r], end = A->row_ptr[r + 1];
            if (begin == end) continue;
            begun += begin > 0 && col[begin] <= col[begin - 1];
            valid = valid && col[begin] >= 0 && spmv__entry_valid(&M->head, r, col[end - 1]);
        }
    }
    return valid && falls == begun;
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

int64_t spmv__longest_row(const spmv_csr *A)
{
    int64_t longest = 0;
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t length = A->row_ptr[r + 1] - A->row_ptr[r];
        if (length > longest) longest = length;
    }
    return longest;
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
    .multiply = spmv__csr_multiply,
    .spmm = spmv__csr_spmm,
    .kernel = "cpu-csr",
    .kernel_summary = "equal shares of rows and nonzeros for every thread",
};
