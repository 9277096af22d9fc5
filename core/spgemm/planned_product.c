/* planned_product.c -- a product whose structure is known: its rows in pieces, by as many threads
 * as there are. */
#include "core/matrix/format.h"
#include "core/spgemm/planned_product.h"
#include "core/spgemm/product.h"

#include <stdlib.h>

enum {
    PIECE = 1 << 14,     /* products and rows of a piece, at most but for its last row */
    PLACE_BYTES = 4,     /* of the table of a row for each of its entries, at most */
    MOST_SUMS = 1 << 21, /* of a row: 16 MB, complex ones twice that */
    TWIN_SUMS = 1 << 16  /* of a row that is summed with its twins: they stay in the cache */
};

/* ---- Ways ----------------------------------------------------------------------------------- */

/* Whether a row of C gets a table of places. */
static bool has_places(const spmv__planned_product *d, int64_t i)
{
    const int64_t n = d->C.row_ptr[i + 1] - d->C.row_ptr[i];
    return n > 0 && n <= SPMV__PLACES && d->p.before[i + 1] - d->p.before[i] <= PLACE_BYTES * n;
}

static int64_t count_twins(const spmv__planned_product *d, int64_t begin, int64_t end)
{
    int64_t n = 1;
    while (n < SPMV__PLAN_LANES && begin + n < end && d->twin_a[begin + n]) n++;
    return n;
}

/* The rows that are made next, from `begin` on and before `end`. */
static spmv__planned_rows rows_at(const spmv__planned_product *d, int64_t begin, int64_t end)
{
    const spmv_csr *C = &d->C;
    const int64_t first = C->row_ptr[begin], n = C->row_ptr[begin + 1] - first;
    const bool masked = d->p.job.mask != NULL;
    spmv__planned_rows r = {.way = SPMV__BY_PLACES, .begin = begin, .count = 1};
    if (n == 0) r.way = SPMV__NO_ENTRIES;
    if (n == 0 || has_places(d, begin)) return r;
    if (!masked) {
        r.low = C->col_idx[first];
        r.sums = C->col_idx[first + n - 1] - r.low + 1;
    } else {
        r.sums = C->cols;
    }
    r.way = r.sums <= MOST_SUMS ? SPMV__BY_COLUMNS : SPMV__UNPLANNED;
    if (!masked && r.sums * SPMV__PLAN_LANES <= TWIN_SUMS) r.count = count_twins(d, begin, end);
    if (r.count > 1) r.sums *= SPMV__PLAN_LANES;
    return r;
}

/* ---- Planning ------------------------------------------------------------------------------- */

static void find_twins(const spmv_csr *A, bool *twin, int threads)
{
#pragma omp parallel for schedule(guided) num_threads(threads) if (threads > 1)
    for (int64_t i = 1; i < A->rows; i++) {
        const int32_t *before = A->col_idx + A->row_ptr[i - 1], *own = A->col_idx + A->row_ptr[i];
        const int64_t n = A->row_ptr[i + 1] - A->row_ptr[i];
        twin[i] = n == own - before && memcmp(before, own, (size_t)n * sizeof *own) == 0;
    }
}

/* Cuts the rows into pieces, where they are to be kept; counts what these need. */
static int64_t cut(spmv__planned_product *d, bool keep)
{
    const int64_t rows = d->C.rows, *before = d->p.before;
    int64_t begin = 0, place = 0;
    d->pieces = 0;
    for (int64_t i = 0; i <= rows; i++) {
        if (i > begin && (i == rows || before[i] + i - before[begin] - begin >= PIECE)) {
            if (keep) d->piece[d->pieces] = (spmv__plan_piece){begin, place};
            d->pieces++;
            for (int64_t k = begin; k < i; k++)
                if (has_places(d, k)) place += before[k + 1] - before[k];
            begin = i;
        }
    }
    if (keep) d->piece[d->pieces] = (spmv__plan_piece){rows, place};
    return place;
}

static void fill_places(spmv__planned_product *d)
{
#pragma omp parallel for schedule(dynamic) num_threads(d->p.threads) if (d->p.threads > 1)
    for (int64_t k = 0; k < d->pieces; k++) {
        uint8_t *place = d->place + d->piece[k].place;
        for (int64_t i = d->piece[k].row; i < d->piece[k + 1].row; i++) {
            if (!has_places(d, i)) continue;
            spmv__find_places(d, i, place);
            place += d->p.before[i + 1] - d->p.before[i];
        }
    }
}

/* The sums that a worker needs at most. */
static int64_t count_sums(const spmv__planned_product *d)
{
    int64_t most = 0;
    for (int64_t i = 0; i < d->C.rows;) {
        const spmv__planned_rows rows = rows_at(d, i, d->C.rows);
        if (rows.way == SPMV__BY_COLUMNS && rows.sums > most) most = rows.sums;
        i += rows.count;
    }
    return most;
}

static spmv_status plan_rows(spmv__planned_product *d, spmv_error *err)
{
    const spmv_csr *A = &d->p.job.A, *B = &d->p.job.B;
    const char *what = "the plan of a product";
    spmv_status st;
    SPMV__TRY(spmv__alloc(&d->twin_a, A->rows, sizeof *d->twin_a, what, err));
    find_twins(A, d->twin_a, d->p.threads);
    d->twin_b = d->twin_a;
    if (!spmv__same_places(A, B)) {
        d->twin_b = NULL;
        SPMV__TRY(spmv__alloc(&d->twin_b, B->rows, sizeof *d->twin_b, what, err));
        find_twins(B, d->twin_b, d->p.threads);
    }
    const int64_t places = cut(d, false);
    SPMV__TRY(spmv__alloc(&d->piece, d->pieces + 1, sizeof *d->piece, what, err));
    cut(d, true);
    SPMV__TRY(spmv__alloc(&d->place, places, sizeof *d->place, what, err));
    fill_places(d);
    d->sums = count_sums(d) * spmv__parts(d->p.job.type);
    SPMV__TRY(spmv__alloc(&d->worker, d->p.threads, sizeof *d->worker, what, err));
    for (int k = 0; k < d->p.threads; k++)
        SPMV__TRY(spmv__alloc(&d->worker[k].sum, d->sums, sizeof(double), "sums", err));
done:
    return st;
}

spmv_status spmv__planned_product_open(spmv__planned_product *out, const spmv_matrix *A,
                                       const spmv_matrix *B, const spmv_spgemm_options *o,
                                       spmv_error *err)
{
    spmv_spgemm_options structure = *o;
    spmv_matrix C = {.format = SPMV_CSR};
    spmv_status st;
    memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__product_prepare(&out->p, A, B, o, err));
    structure.boolean = true;
    SPMV__TRY(spmv_spgemm(&C, A, B, &structure, NULL, err));
    out->C = C.csr;
    if (out->p.job.mask != NULL) out->p.job.mask = &out->C; /* lets the same entries through */
    st = plan_rows(out, err);
done:
    if (st != SPMV_SUCCESS) spmv__planned_product_close(out);
    return st;
}

void spmv__planned_product_close(spmv__planned_product *d)
{
    for (int k = 0; d->worker != NULL && k < d->p.threads; k++) {
        spmv__spgemm_worker_close(&d->worker[k].rows);
        free(d->worker[k].sum);
    }
    free(d->worker);
    if (d->twin_b != d->twin_a) free(d->twin_b);
    free(d->twin_a);
    free(d->piece);
    free(d->place);
    spmv_csr_destroy(&d->C);
    spmv__prepared_product_destroy(&d->p);
    memset(d, 0, sizeof *d);
}

/* ---- Summing -------------------------------------------------------------------------------- */

static spmv_status sum_piece(const spmv__planned_product *d, int64_t k, spmv__plan_worker *w,
                             void *val, spmv_error *err)
{
    const spmv__spgemm *job = &d->p.job;
    const uint8_t *place = d->place + d->piece[k].place;
    const int64_t end = d->piece[k + 1].row;
    for (int64_t i = d->piece[k].row; i < end;) {
        const spmv__planned_rows rows = rows_at(d, i, end);
        if (rows.way == SPMV__NO_ENTRIES) {
            i++;
            continue;
        }
        if (rows.way == SPMV__BY_PLACES) {
            spmv__sum_placed_row(job, &d->C, i, place, val);
            place += d->p.before[i + 1] - d->p.before[i];
        } else if (rows.way == SPMV__BY_COLUMNS) {
            spmv__sum_planned_rows(job, d->twin_b, &d->C, &rows, w->sum, val);
        } else {
            const spmv_status st = spmv__spgemm_sum_row(&w->rows, job, i, err);
            if (st != SPMV_SUCCESS) return st;
            spmv__put_sums(job->type, val, d->C.row_ptr[i], w->rows.row.sum, w->rows.row.n);
        }
        i += rows.count;
    }
    return SPMV_SUCCESS;
}

spmv_status spmv__planned_product_sum(spmv__planned_product *d, const void *a, const void *b,
                                      void *val, spmv_error *err)
{
    spmv_status all = SPMV_SUCCESS;
    d->p.job.A.val = (void *)a;
    d->p.job.B.val = (void *)b;
#pragma omp parallel for schedule(dynamic) num_threads(d->p.threads) if (d->p.threads > 1)
    for (int64_t k = 0; k < d->pieces; k++) {
        spmv_error own = {0};
        const spmv_status st = sum_piece(d, k, &d->worker[spmv__thread()], val, &own);
        if (st == SPMV_SUCCESS) continue;
#pragma omp critical(spmv__planned_product)
        {
            all = st;
            if (err != NULL) *err = own;
        }
    }
    return all;
}
