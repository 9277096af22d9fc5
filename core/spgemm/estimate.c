/* estimate.c -- how large a product will be, and how long it will take, from some of its rows. */
#include "core/matrix/format.h"
#include "core/spgemm/row_sample.h"

#include <stdlib.h>

enum {
    ALL = 1 << 22,   /* products, up to which an estimate makes all rows */
    DRAWN = 1 << 25, /* products of the rows that it draws else, about */
    MOST_DRAWS = 2048,
    FEWEST_DRAWS = 64,
    TIMED_PLACES = 32,
    TIMED = 1 << 14, /* products in each of these places */
    NEW_MEMORY = 1 << 24,
};

/* The row in which product number `at` lies. */
static int64_t row_of_product(const spmv__prepared_product *p, int64_t at)
{
    int64_t low = 0, high = p->job.A.rows;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (p->before[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
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

/* *nnz = entries that rows at even distances let expect, where a row is drawn with a chance
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
    *nnz = draws > 0 ? (int64_t)(parts / (double)draws * most) : 0;
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

/* *seconds = to write a byte to memory that nobody had before. */
static spmv_status time_new_memory(double *seconds, spmv_error *err)
{
    char *memory;
    const spmv_status st = spmv__alloc(&memory, NEW_MEMORY, 1, "an estimate", err);
    if (st != SPMV_SUCCESS) return st;
    const double start = spmv_now();
    memset(memory, 1, NEW_MEMORY);
    *seconds = (spmv_now() - start) / NEW_MEMORY;
    free(memory);
    return st;
}

/* Time neighbouring rows in some places, since a row by itself waits for memory. */
static spmv_status sample_time(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                               spmv__spgemm_worker *w, spmv_error *err)
{
    const int64_t rows = p->job.A.rows, products = p->before[rows];
    double start, byte;
    int64_t made = 0;
    spmv_status st = time_new_memory(&byte, err);
    if (st != SPMV_SUCCESS) return st;
    start = spmv_now();
    for (int64_t k = 0; k < TIMED_PLACES && products > 0; k++) {
        const double place = ((double)k + 0.5) / TIMED_PLACES * (double)products;
        const int64_t begin = row_of_product(p, (int64_t)place);
        for (int64_t i = begin; i < rows && p->before[i] - p->before[begin] < TIMED; i++) {
            st = spmv__spgemm_sum_row(w, &p->job, i, err);
            if (st != SPMV_SUCCESS) return st;
            made += p->before[i + 1] - p->before[i];
        }
    }
    const double each = made > 0 ? (spmv_now() - start) / (double)made : 0;
    out->seconds = p->counting + (each * (double)products + byte * (double)out->bytes) / p->threads;
    return st;
}

spmv_status spmv__product_sample(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                                 spmv_error *err)
{
    spmv__spgemm_worker w = {0};
    spmv_status st = sample_entries(out, p, &w, err);
    if (st == SPMV_SUCCESS) st = sample_time(out, p, &w, err);
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
