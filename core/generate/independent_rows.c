/* independent_rows.c -- patterns whose rows are independent: count every row, then fill it. */
#include "core/base/base.h"
#include "core/generate/generator.h"

#include <stdlib.h>

enum { PIECE = 1 << 20 };

/* How many entries rows from `first` on have. */
static double count_entries(const spmv__plan *plan, int64_t first, int64_t rows, int threads)
{
    double entries = 0;
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : entries)
    for (int64_t r = first; r < rows; r++) entries += (double)plan->generator->length(plan, r);
    return entries;
}

/* row_ptr from the lengths of the rows.  What cannot be held is refused after the first piece of
 * rows that shows it, before more memory is touched: the others are only counted, so that all that
 * is needed is said. */
static spmv_status count_rows(spmv_csr *A, const spmv__plan *plan, int threads, spmv_error *err)
{
    const size_t entry = sizeof *A->col_idx + spmv_type_size(plan->options.type);
    (void)threads; /* without OpenMP */
    for (int64_t first = 0; first < A->rows; first += PIECE) {
        int64_t end = A->rows - first < PIECE ? A->rows : first + PIECE;
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int64_t r = first; r < end; r++) A->row_ptr[r + 1] = plan->generator->length(plan, r);
        for (int64_t r = first; r < end; r++) A->row_ptr[r + 1] += A->row_ptr[r];
        double entries = (double)A->row_ptr[end];
        if (spmv_check_memory(entries * (double)entry, "", NULL) == SPMV_SUCCESS) continue;
        entries += count_entries(plan, end, A->rows, threads);
        spmv_status st = spmv_check_memory(entries * (double)entry, "a generated matrix", err);
        if (st != SPMV_SUCCESS) return st;
    }
    A->nnz = A->row_ptr[A->rows];
    return SPMV_SUCCESS;
}

spmv_status spmv__for_rows(int64_t rows, int threads, spmv__row_work row, void *user,
                           spmv_error *err)
{
    spmv_status failed = SPMV_SUCCESS;
    (void)threads; /* without OpenMP */
#pragma omp parallel num_threads(threads)
    {
        spmv__column_set set = {0};
        spmv_error error;
#pragma omp for schedule(dynamic, 256)
        for (int64_t r = 0; r < rows; r++) {
            spmv_status st;
#pragma omp atomic read
            st = failed;
            if (st != SPMV_SUCCESS) continue;
            st = row(user, r, &set, &error);
            if (st == SPMV_SUCCESS) continue;
#pragma omp critical
            if (err != NULL) *err = error;
#pragma omp atomic write
            failed = st;
        }
        spmv__column_set_free(&set);
    }
    return failed;
}

typedef struct row_filling {
    spmv_csr *A;
    const spmv__plan *plan;
} row_filling;

static spmv_status fill_row(void *user, int64_t r, spmv__column_set *set, spmv_error *err)
{
    const row_filling *f = user;
    const int64_t start = f->A->row_ptr[r], n = f->A->row_ptr[r + 1] - start;
    if (n == 0) return SPMV_SUCCESS;
    return f->plan->generator->columns(f->plan, r, n, f->A->col_idx + start, set, err);
}

spmv_status spmv__generate_rows(spmv_csr *out, const spmv__plan *plan, spmv_error *err)
{
    const spmv_generate_options *o = &plan->options;
    int threads = spmv__threads(o->threads);
    spmv_csr csr = {0};
    spmv_status st;

    SPMV__TRY(spmv_csr_create(&csr, SPMV_PATTERN, o->rows, o->cols, 0, err));
    SPMV__TRY(count_rows(&csr, plan, threads, err));
    free(csr.col_idx);
    SPMV__TRY(spmv__alloc(&csr.col_idx, csr.nnz, sizeof *csr.col_idx, "column indices", err));
    SPMV__TRY(spmv__for_rows(csr.rows, threads, fill_row, &(row_filling){&csr, plan}, err));
    *out = csr;
    csr = (spmv_csr){0};
done:
    spmv_csr_destroy(&csr);
    return st;
}
