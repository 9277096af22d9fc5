/* product_rows.c -- C = A B for a consumer of pieces of rows: C need not fit into memory.
 *
 * The entries of all rows are counted first, so that what comes before them in a file can be
 * written, and a piece is allocated as large as it is. */
#include "core/matrix/format.h"
#include "core/spgemm/pieces_in_order.h"
#include "core/spgemm/spgemm.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct pieces_job {
    const spmv__prepared_product *p;
    spmv__row_cut cut;
    spmv_csr C;                  /* without col_idx and val */
    spmv__spgemm_worker *worker; /* [threads] */
    spmv__meter *meter;
} pieces_job;

static spmv_status reserve_slot(spmv__piece_slot *slot, int64_t n, spmv_type type, spmv_error *err)
{
    const size_t size = spmv_type_size(type);
    spmv_status st = SPMV_SUCCESS;
    if (n <= slot->room) return st;
    free(slot->col);
    free(slot->val);
    slot->val = NULL;
    slot->room = 0;
    SPMV__TRY(spmv__alloc(&slot->col, n, sizeof *slot->col, "a piece of the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc(&slot->val, n, size, "a piece of the product", err));
    slot->room = n;
done:
    return st;
}

static spmv_status make_piece(void *user, int64_t k, int thread, spmv__piece_slot *slot,
                              spmv_error *err)
{
    const pieces_job *j = user;
    spmv__spgemm_worker *w = &j->worker[thread];
    const int64_t begin = spmv__cut_begin(&j->cut, k), end = spmv__cut_begin(&j->cut, k + 1);
    const int64_t *row_ptr = j->C.row_ptr, first = row_ptr[begin], n = row_ptr[end] - first;
    spmv_status st;
    SPMV__TRY(reserve_slot(slot, n, j->C.type, err));
    for (int64_t i = begin; i < end; i++) {
        const int64_t at = row_ptr[i] - first;
        SPMV__TRY(spmv__spgemm_sum_row(w, &j->p->job, i, err));
        if (w->row.n != row_ptr[i + 1] - row_ptr[i])
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "A or B was changed while they were multiplied: row %" PRId64
                              " of the product has %" PRId64 " entries and had %" PRId64,
                              i, w->row.n, row_ptr[i + 1] - row_ptr[i]);
        if (w->row.n == 0) continue;
        memcpy(slot->col + at, w->row.col, (size_t)w->row.n * sizeof *slot->col);
        spmv__put_sums(j->C.type, slot->val, at, w->row.sum, w->row.n);
    }
    slot->piece = (spmv_row_piece){begin, end, n, slot->col, slot->val};
    spmv__meter_advance(j->meter, j->cut.before[end] - j->cut.before[begin]);
done:
    return st;
}

/* Count the rows, then make them. */
static spmv_status multiply(pieces_job *j, const spmv_row_consumer *to, spmv_error *err)
{
    const spmv__prepared_product *p = j->p;
    const int64_t rows = p->job.A.rows, products = p->before[rows];
    const int threads = p->threads;
    spmv_status st;
    j->cut = spmv__cut_rows(p);
    SPMV__TRY(
        spmv__alloc(&j->C.row_ptr, rows + 1, sizeof *j->C.row_ptr, "rows of the product", err));
    spmv__meter_begin(j->meter, "counting", products, sizeof(int32_t), SPMV_PATTERN);
    SPMV__TRY(spmv__spgemm_count_rows(j->C.row_ptr, p, j->meter, err));
    j->C.nnz = j->C.row_ptr[rows];
    SPMV__TRY(to->begin(to->user, &j->C, err));
    SPMV__TRY(spmv__alloc(&j->worker, threads, sizeof *j->worker, "multiplying", err));
    spmv__meter_begin(j->meter, "multiplying", products, sizeof(int32_t), p->job.type);
    st = spmv__pieces_in_order(make_piece, j, j->cut.count, threads, to, err);
    for (int t = 0; t < threads; t++) spmv__spgemm_worker_close(&j->worker[t]);
done:
    free(j->worker);
    free(j->C.row_ptr);
    return st;
}

spmv_status spmv_spgemm_rows(const spmv_matrix *A, const spmv_matrix *B,
                             const spmv_spgemm_options *options, const spmv_row_consumer *to,
                             spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__meter meter = {.progress = o.progress, .user = o.user};
    spmv__prepared_product p;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(to != NULL && to->begin != NULL && to->take != NULL, err);
    spmv_status st = spmv__product_prepare(&p, A, B, &o, err);
    if (st != SPMV_SUCCESS) return st;

    const double start = spmv_now();
    pieces_job j = {.p = &p, .meter = &meter};
    j.C = spmv__blank(SPMV_CSR, p.job.type, SPMV_GENERAL, p.job.A.rows, p.job.B.cols, 0).csr;
    st = multiply(&j, to, err);
    if (st == SPMV_SUCCESS && result != NULL)
        *result = (spmv_spgemm_result){p.before[p.job.A.rows], p.counting + spmv_now() - start};
    spmv__prepared_product_destroy(&p);
    return st;
}
