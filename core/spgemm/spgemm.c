/* spgemm.c -- C = A B: the operands as compressed rows, and what the product will need. */
#include "core/convert/convert.h"
#include "core/matrix/format.h"
#include "core/spgemm/spgemm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ALL = 1 << 20,   /* products, up to which an estimate makes all rows */
    DRAWN = 1 << 25, /* products of the rows that it draws else, about */
    MOST_DRAWS = 1024,
    FEWEST_DRAWS = 32,
    TIMED_PLACES = 32,
    TIMED = 1 << 14, /* products in each of these places */
    NEW_MEMORY = 1 << 24,
    PARALLEL = 1 << 14, /* products and rows from which on several threads are faster */
    MARGIN = 16         /* one part in so many is added to an estimate */
};

spmv_type spmv_spgemm_type(spmv_type a, spmv_type b)
{
    const bool is_complex = spmv_type_is_complex(a) || spmv_type_is_complex(b);
    const bool is_double = a == SPMV_F64 || b == SPMV_F64 || a == SPMV_C128 || b == SPMV_C128 ||
                           (a == SPMV_PATTERN && b == SPMV_PATTERN);
    if (is_complex) return is_double ? SPMV_C128 : SPMV_C64;
    return is_double ? SPMV_F64 : SPMV_F32;
}

/* ---- Operands ------------------------------------------------------------------------------- */

/* What was made for a product.  All zero is empty. */
typedef struct prepared {
    spmv__spgemm job;
    spmv_matrix A, B, mask; /* owned where they had to be converted */
    spmv_csr mask_rows;
    int64_t *before; /* [A.rows + 1] products */
    bool *runs;      /* job.runs */
    int threads;
    double counting; /* seconds that counting the products took */
} prepared;

static void destroy_prepared(prepared *p)
{
    spmv_destroy(&p->A);
    spmv_destroy(&p->B);
    spmv_destroy(&p->mask);
    free(p->before);
    free(p->runs);
}

/* rows = A or A^T as compressed rows: a view of A where it has them, else one of *own. */
static spmv_status compressed_rows(spmv_csr *rows, spmv_matrix *own, const spmv_matrix *A,
                                   bool transpose, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (!transpose && A->format == SPMV_CSR) {
        *rows = A->csr;
    } else if (transpose && A->format == SPMV_CSC) {
        *rows = spmv__relabel(A).csr;
    } else {
        st = spmv_convert(own, A, transpose ? SPMV_CSC : SPMV_CSR, NULL, err);
        if (st == SPMV_SUCCESS && transpose) *own = spmv__relabel(own);
        *rows = own->csr;
    }
    return st;
}

static spmv_status check_operand(const spmv_matrix *A, const char *name, spmv_error *err)
{
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "%s holds one triangle; expand the symmetry first", name);
    return SPMV_SUCCESS;
}

static spmv_status check_shapes(const spmv__spgemm *job, spmv_error *err)
{
    const spmv_csr *A = &job->A, *B = &job->B, *M = job->mask;
    if (A->cols != B->rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A has %" PRId64 " columns and B %" PRId64 " rows, which must be as many",
                          A->cols, B->rows);
    if (M != NULL && (M->rows != A->rows || M->cols != B->cols))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "the mask is %" PRId64 " x %" PRId64 ", and the product %" PRId64
                          " x %" PRId64,
                          M->rows, M->cols, A->rows, B->cols);
    return SPMV_SUCCESS;
}

/* before[i + 1] = products of row i, then their running sum. */
static void count_products(const spmv__spgemm *job, int64_t *before, int threads)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    if (threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(guided) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < A->rows; i++) {
        int64_t n = 0;
        for (int64_t p = A->row_ptr[i]; p < A->row_ptr[i + 1]; p++)
            n += B->row_ptr[A->col_idx[p] + 1] - B->row_ptr[A->col_idx[p]];
        before[i + 1] = n;
    }
    spmv__counts_to_offsets(before, A->rows);
}

static spmv_status prepare(prepared *out, const spmv_matrix *A, const spmv_matrix *B,
                           const spmv_spgemm_options *o, spmv_error *err)
{
    spmv__spgemm *job = &out->job;
    spmv_status st;
    memset(out, 0, sizeof *out);
    SPMV__TRY(check_operand(A, "A", err));
    SPMV__TRY(check_operand(B, "B", err));
    if (o->mask != NULL) SPMV__TRY(check_operand(o->mask, "the mask", err));
    SPMV__TRY(compressed_rows(&job->A, &out->A, A, o->transpose_a, err));
    if (A == B && o->transpose_a == o->transpose_b)
        job->B = job->A;
    else
        SPMV__TRY(compressed_rows(&job->B, &out->B, B, o->transpose_b, err));
    if (o->mask != NULL) {
        SPMV__TRY(compressed_rows(&out->mask_rows, &out->mask, o->mask, false, err));
        job->mask = &out->mask_rows;
    }
    job->type = o->boolean ? SPMV_PATTERN : spmv_spgemm_type(A->head.type, B->head.type);
    job->drop_zeros = o->drop_zeros;
    job->top = o->top;
    job->plain = o->serial;
    SPMV__TRY(check_shapes(job, err));
    out->threads = o->serial ? 1 : spmv__threads(o->threads);
    SPMV__TRY(spmv__alloc(&out->before, job->A.rows + 1, sizeof *out->before, "rows of the product",
                          err));
    SPMV__TRY(spmv__alloc(&out->runs, job->B.rows, sizeof *out->runs, "rows of B", err));
    const double start = spmv_now();
    count_products(job, out->before, job->A.nnz > SPMV__PARALLEL_NNZ ? out->threads : 1);
    spmv__spgemm_find_runs(&job->B, out->runs, job->B.nnz > SPMV__PARALLEL_NNZ ? out->threads : 1);
    job->runs = out->runs;
    out->counting = spmv_now() - start;
    if (out->before[job->A.rows] + job->A.rows < PARALLEL) out->threads = 1;
done:
    if (st != SPMV_SUCCESS) destroy_prepared(out);
    return st;
}

/* ---- Estimates ------------------------------------------------------------------------------ */

/* The row in which product number `at` lies. */
static int64_t row_of_product(const prepared *p, int64_t at)
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

static int64_t bytes_of(const prepared *p, double nnz)
{
    const double entry = (double)(sizeof(int32_t) + spmv_type_size(p->job.type));
    const double bytes = nnz * entry + 8.0 * (double)(p->job.A.rows + 1);
    return bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
}

/* Rows to draw, so that these have about DRAWN products: a drawn row has as many as the mean of the
 * products has, by products. */
static int64_t rows_to_draw(const prepared *p)
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
static spmv_status sample_entries(spmv_spgemm_estimate *out, const prepared *p,
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
    out->bytes = bytes_of(p, (double)out->nnz);
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
static spmv_status sample_time(spmv_spgemm_estimate *out, const prepared *p, spmv__spgemm_worker *w,
                               spmv_error *err)
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

static spmv_status sample(spmv_spgemm_estimate *out, const prepared *p, spmv_error *err)
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
    prepared p;
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL && spmv__format_of(A->format) != NULL, err);
    SPMV__REQUIRE(B != NULL && spmv__format_of(B->format) != NULL, err);
    SPMV__REQUIRE(o.top >= 0, err);
    spmv_status st = prepare(&p, A, B, &o, err);
    if (st != SPMV_SUCCESS) return st;
    st = sample(out, &p, err);
    destroy_prepared(&p);
    return st;
}

/* *room = entries to allocate C for: those of all products where they fit into memory, which most
 * do even if nothing falls together, else a little more than the estimate says. */
static spmv_status choose_room(int64_t *room, const prepared *p, spmv_error *err)
{
    const int64_t products = p->before[p->job.A.rows];
    spmv_spgemm_estimate e = {0};
    char what[96];
    int64_t all;
    *room = products;
    if (spmv__product(p->job.A.rows, p->job.B.cols, &all) && all < products) *room = all;
    if (spmv_check_memory((double)bytes_of(p, (double)*room), "", NULL) == SPMV_SUCCESS)
        return SPMV_SUCCESS;
    const spmv_status st = sample(&e, p, err);
    if (st != SPMV_SUCCESS) return st;
    *room = e.nnz + e.nnz / MARGIN;
    snprintf(what, sizeof what, "the product, of about %.3g entries from %.3g products,",
             (double)e.nnz, (double)e.products);
    return spmv_check_memory((double)e.bytes, what, err);
}

/* ---- The product ---------------------------------------------------------------------------- */

spmv_status spmv_spgemm(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                        const spmv_spgemm_options *options, spmv_spgemm_result *result,
                        spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__meter meter = {.progress = o.progress, .user = o.user};
    prepared p;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL && out != A && out != B, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL && spmv__format_of(A->format) != NULL, err);
    SPMV__REQUIRE(B != NULL && spmv__format_of(B->format) != NULL, err);
    SPMV__REQUIRE(o.top >= 0, err);
    st = prepare(&p, A, B, &o, err);
    if (st != SPMV_SUCCESS) return st;

    const double start = spmv_now();
    const int64_t products = p.before[p.job.A.rows];
    int64_t room;
    *out = spmv__blank(SPMV_CSR, p.job.type, SPMV_GENERAL, p.job.A.rows, p.job.B.cols, 0);
    SPMV__TRY(choose_room(&room, &p, err));
    spmv__meter_begin(&meter, "multiplying", products, sizeof(int32_t), p.job.type);
    SPMV__TRY(spmv__spgemm_all_rows(&out->csr, &p.job, p.before, room, p.threads, &meter, err));
    if (result != NULL)
        *result = (spmv_spgemm_result){products, (p.counting + spmv_now() - start) * 1000};
done:
    if (st != SPMV_SUCCESS) spmv_destroy(out);
    destroy_prepared(&p);
    return st;
}
