/* estimate.c -- how large a product will be, and how long it will take, from some of its rows. */
#include "core/matrix/format.h"
#include "core/spgemm/spgemm.h"

#include <stdlib.h>

enum {
    ALL = 1 << 20,   /* products, up to which an estimate makes all rows */
    DRAWN = 1 << 25, /* products of the rows that it draws else, about */
    MOST_DRAWS = 1024,
    FEWEST_DRAWS = 32,
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
 * products has, by products. */
static int64_t rows_to_draw(const spmv__prepared_product *p)
{
    const double products = (double)p->before[p->job.A.rows];
    double squares = 0;
    for (int64_t i = 0; i < p->job.A.rows; i++) {
        const double own = (double)(p->before[i + 1] - p->before[i]);
        squares += own * own;
    }
    const double draws = (double)DRAWN / squares * products;
    if (draws < FEWEST_DRAWS) return FEWEST_DRAWS;
    return draws < MOST_DRAWS ? (int64_t)draws : MOST_DRAWS;
}

/* Make all rows of a small product; of others rows at even distances in the order of the products,
 * so that a row is drawn with a chance proportional to its products. */
static spmv_status sample_entries(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                                  spmv__spgemm_worker *w, spmv_error *err)
{
    const int64_t rows = p->job.A.rows, products = p->before[rows];
    const bool all = products <= ALL;
    const int64_t draws = all ? rows : rows_to_draw(p);
    double ratios = 0;
    int64_t nnz = 0, last = -1;
    for (int64_t k = 0; k < draws; k++) {
        const double place = ((double)k + 0.5) / (double)draws * (double)products;
        const int64_t i = all ? k : row_of_product(p, (int64_t)place);
        const int64_t own = p->before[i + 1] - p->before[i];
        if (own == 0) continue;
        if (i != last) {
            const spmv_status st = spmv__spgemm_sum_row(w, &p->job, i, err);
            if (st != SPMV_SUCCESS) return st;
        }
        last = i;
        ratios += (double)w->row.n / (double)own;
        nnz += w->row.n;
    }
    out->products = products;
    out->nnz = all ? nnz : (int64_t)(ratios / (double)draws * (double)products);
    out->exact = all;
    out->bytes = spmv__product_bytes(&p->job, (double)out->nnz);
    return SPMV_SUCCESS;
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
