/* estimate.c -- how large a product will be, and how long it will take, from some of its rows. */
#include "core/matrix/format.h"
#include "core/spgemm/row_sample.h"

#include <math.h>
#include <stdlib.h>

enum {
    ALL = 1 << 22,   /* products, up to which an estimate makes all rows */
    DRAWN = 1 << 25, /* products of the rows that it draws else, about */
    MOST_DRAWS = 2048,
    FEWEST_DRAWS = 64,
    TIMED_PLACES = 32,
    TIMED = 1 << 14 /* products, or rows, in each of these places */
};

/* The row in which product number `at` lies; the end of all rows where there is none. */
static int64_t row_of_product(const spmv__prepared_product *p, int64_t at)
{
    return spmv__find_offset(p->before + 1, p->job.A.rows, at + 1);
}

/* Rows to draw, so that these have about DRAWN products: a drawn row has as many as the mean of the
 * products has, by the bounds of the rows. */
static int64_t rows_to_draw(const spmv__prepared_product *p, const spmv__row_sample *sample)
{
    double weighted = 0;
    for (int64_t i = 0; i < p->job.A.rows; i++)
        weighted += (double)(p->before[i + 1] - p->before[i]) * (double)spmv__row_bound(p, i);
    const double draws = (double)DRAWN / weighted * (double)sample->before[sample->count];
    if (draws < FEWEST_DRAWS) return FEWEST_DRAWS;
    return draws < MOST_DRAWS ? (int64_t)draws : MOST_DRAWS;
}

/* *nnz = entries of all rows, which are made. */
static spmv_status count_all(int64_t *nnz, const spmv__prepared_product *p, spmv__spgemm_worker *w,
                             spmv_error *err)
{
    *nnz = 0;
    for (int64_t i = 0; i < p->job.A.rows; i++) {
        const spmv_status st = spmv__spgemm_sum_row(w, &p->job, i, err);
        if (st != SPMV_SUCCESS) return st;
        *nnz += w->row.n;
    }
    return SPMV_SUCCESS;
}

/* *nnz = entries to be expected by rows at even distances, where a row is drawn with a chance
 * proportional to the most entries that it can have: the mean part of these that it has is that of
 * all rows together. */
static spmv_status guess_all(int64_t *nnz, const spmv__prepared_product *p, spmv__spgemm_worker *w,
                             spmv_error *err)
{
    spmv__row_sample sample;
    spmv_status st = spmv__row_sample_make(&sample, p, err);
    if (st != SPMV_SUCCESS) return st;
    const double most = (double)sample.before[sample.count];
    const int64_t draws = most > 0 ? rows_to_draw(p, &sample) : 0;
    double parts = 0;
    int64_t last = -1;
    for (int64_t k = 0; k < draws; k++) {
        const int64_t at = (int64_t)(((double)k + 0.5) / (double)draws * most);
        const int64_t i = spmv__row_sample_draw(&sample, at);
        if (i != last) SPMV__TRY(spmv__spgemm_sum_row(w, &p->job, i, err));
        last = i;
        parts += (double)w->row.n / (double)spmv__row_bound(p, i);
    }
    *nnz = draws > 0 ? llround(parts / (double)draws * most) : 0;
done:
    spmv__row_sample_destroy(&sample);
    return st;
}

static spmv_status sample_entries(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                                  spmv__spgemm_worker *w, spmv_error *err)
{
    out->products = p->before[p->job.A.rows];
    out->exact = out->products <= ALL;
    const spmv_status st = (out->exact ? count_all : guess_all)(&out->nnz, p, w, err);
    if (st == SPMV_SUCCESS) out->bytes = spmv__product_bytes(&p->job, (double)out->nnz);
    return st;
}

/* What a thread makes to see how long it takes. */
typedef struct timed_rows {
    spmv__spgemm_worker w;
    int64_t made; /* products */
    spmv_status status;
    spmv_error error;
} timed_rows;

/* Rows from `begin` on, not beyond `next`, are timed in groups of about TIMED products, since one
 * alone waits for memory, and go into fresh memory, as all of C does. */
static spmv_status make_place(timed_rows *t, const spmv__prepared_product *p, int64_t begin,
                              int64_t next)
{
    const int64_t stop = next - begin < TIMED ? next : begin + TIMED;
    const size_t size = spmv_type_size(p->job.type);
    int64_t end = begin, most = 0, n = 0;
    int32_t *col = NULL;
    void *val = NULL;
    spmv_status st;
    for (; end < stop && p->before[end] - p->before[begin] < TIMED; end++)
        most += spmv__row_bound(p, end);
    SPMV__TRY(spmv__alloc_unset(&col, most, sizeof *col, "an estimate", &t->error));
    SPMV__TRY(spmv__alloc_unset(&val, most, size, "an estimate", &t->error));
    for (int64_t i = begin; i < end; i++) {
        const spmv__product_row *row = &t->w.row;
        SPMV__TRY(spmv__spgemm_sum_row(&t->w, &p->job, i, &t->error));
        if (row->n == 0) continue;
        memcpy(col + n, row->col, (size_t)row->n * sizeof *col);
        spmv__put_sums(p->job.type, val, n, row->sum, row->n);
        n += row->n;
    }
    t->made += p->before[end] - p->before[begin];
done:
    free(col);
    free(val);
    return st;
}

/* The row in which place k of `places` begins: they are at even distances. */
static int64_t place_begin(const spmv__prepared_product *p, int k, int places)
{
    const int64_t rows = p->job.A.rows;
    if (k == places) return rows;
    return row_of_product(p, (int64_t)((k + 0.5) / places * (double)p->before[rows]));
}

/* All threads make `places` places; none makes what another does. */
static void make_places(timed_rows *timed, const spmv__prepared_product *p, int places)
{
    const int threads = p->threads;
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
    for (int k = 0; k < places; k++) {
        timed_rows *t = &timed[spmv__thread()];
        if (t->status == SPMV_SUCCESS)
            t->status = make_place(t, p, place_begin(p, k, places), place_begin(p, k + 1, places));
    }
}

/* Returns what the threads have made, and begins to count anew. */
static double take_made(timed_rows *timed, int threads)
{
    int64_t made = 0;
    for (int k = 0; k < threads; k++) {
        made += timed[k].made;
        timed[k].made = 0;
    }
    return (double)made;
}

/* What some rows take all threads together, the others will take.  What a thread allocates with its
 * first row is there before. */
static spmv_status sample_time(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                               spmv_error *err)
{
    const int threads = p->threads;
    timed_rows *timed;
    spmv_status st = spmv__alloc(&timed, threads, sizeof *timed, "an estimate", err);
    if (st != SPMV_SUCCESS) return st;
    if (threads > 1) spmv__threads_start();
    make_places(timed, p, threads);
    take_made(timed, threads);
    const double start = spmv_now();
    make_places(timed, p, TIMED_PLACES * threads);
    const double seconds = spmv_now() - start, made = take_made(timed, threads);
    out->seconds = p->counting + (made > 0 ? seconds / made * (double)out->products : 0);
    for (int k = 0; k < threads; k++) {
        if (st == SPMV_SUCCESS && timed[k].status != SPMV_SUCCESS) {
            st = timed[k].status;
            if (err != NULL) *err = timed[k].error;
        }
        spmv__spgemm_worker_close(&timed[k].w);
    }
    free(timed);
    return st;
}

spmv_status spmv__product_sample(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                                 spmv_error *err)
{
    spmv__spgemm_worker w = {0};
    spmv_status st = sample_entries(out, p, &w, err);
    if (st == SPMV_SUCCESS) st = sample_time(out, p, err);
    spmv__spgemm_worker_close(&w);
    return st;
}

spmv_status spmv_spgemm_estimate_product(spmv_spgemm_estimate *out, const spmv_matrix *A,
                                         const spmv_matrix *B, const spmv_spgemm_options *options,
                                         spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__prepared_product p;
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    spmv_status st = spmv__product_prepare(&p, A, B, &o, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv__product_sample(out, &p, err);
    spmv__prepared_product_destroy(&p);
    return st;
}
