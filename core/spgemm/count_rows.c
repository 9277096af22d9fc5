/* count_rows.c -- how many entries the rows of a product have, before they are made.
 *
 * Only where entries are is worked out, which takes less time than their values do, and nothing is
 * kept of it.  Which of them are 0 the values alone tell. */
#include "core/matrix/format.h"
#include "core/spgemm/product.h"

/* What makes the entries of `job` with as little work as tells their number. */
static spmv__spgemm counting_job(const spmv__spgemm *job)
{
    spmv__spgemm count = *job;
    if (job->drop_zeros && job->type != SPMV_PATTERN) return count;
    count.type = SPMV_PATTERN;
    count.kind = spmv__product_kind(job->B.type, SPMV_PATTERN);
    count.top = 0;
    return count;
}

/* row_ptr[i + 1] = entries of row i, for the rows begin .. end - 1. */
static spmv_status count_piece(int64_t *row_ptr, const spmv__spgemm *count, int64_t top,
                               int64_t begin, int64_t end, spmv__spgemm_worker *w, spmv_error *err)
{
    for (int64_t i = begin; i < end; i++) {
        const spmv_status st = spmv__spgemm_sum_row(w, count, i, err);
        if (st != SPMV_SUCCESS) return st;
        row_ptr[i + 1] = top > 0 && w->row.n > top ? top : w->row.n;
    }
    return SPMV_SUCCESS;
}

spmv_status spmv__spgemm_count_rows(int64_t *row_ptr, const spmv__prepared_product *p,
                                    spmv__meter *meter, spmv_error *err)
{
    const spmv__spgemm count = counting_job(&p->job);
    const spmv__row_cut cut = spmv__cut_rows(p);
    spmv_status status = SPMV_SUCCESS;
    spmv_error error = {0};
    if (p->threads > 1) spmv__threads_start();
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        spmv__spgemm_worker w = {0};
        spmv_status st = SPMV_SUCCESS;
#pragma omp for schedule(dynamic)
        for (int64_t k = 0; k < cut.count; k++) {
            const int64_t begin = spmv__cut_begin(&cut, k), end = spmv__cut_begin(&cut, k + 1);
            spmv_error own = {0};
            if (st != SPMV_SUCCESS) continue;
            st = count_piece(row_ptr, &count, p->job.top, begin, end, &w, &own);
            spmv__meter_advance(meter, cut.before[end] - cut.before[begin]);
            if (st == SPMV_SUCCESS) continue;
#pragma omp critical(spmv__spgemm)
            {
                status = st;
                error = own;
            }
        }
        spmv__spgemm_worker_close(&w);
    }
    spmv__counts_to_offsets(row_ptr, p->job.A.rows);
    if (status != SPMV_SUCCESS && err != NULL) *err = error;
    return status;
}
