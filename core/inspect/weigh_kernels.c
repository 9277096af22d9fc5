/* weigh_kernels.c -- is the set-up of another kernel, or format, worth its while?
 *
 * A multiplication on a GPU takes about as long as it takes to move its bytes.  Those of CSR follow
 * from its shape; those of CSELL are counted in windows of rows, by what a conversion would do with
 * them.  What a set-up takes, and what share of the bandwidth a kernel reaches, was measured on
 * matrices of 20 million entries, on one H100. */
#include "core/matrix/format.h"
#include "core/multiply/long_rows.h"

#include <math.h>

enum { WINDOWS = 16, WINDOW = 128 }; /* rows that are looked at: whole slices */

static const double LAUNCH = 3e-6;          /* seconds of a multiplication without bytes */
static const double SECTOR = 32;            /* bytes that come from memory for one element, */
static const double CACHED_SECTOR = 21;     /* or take as long from a cache, */
static const double FAR_SECTOR = 80;        /* or from so large an x that addresses miss, too: */
static const double FAR_X = 64e6;           /* of more bytes than that */
static const double CSR_SHARE = 0.75;       /* of the bandwidth */
static const double CSELL_SHARE = 0.65;     /* of the bandwidth */
static const double SWEEP_SHARE = 0.65;     /* of the bandwidth */
static const double STAGED_RATIO = 0.7;     /* of the time without staging */
static const double SWEEP_ROWS = 14500;     /* whose sums a block has room for */
static const double SWEEP_PAGE = 65536;     /* columns, of which a block needs some entries: */
static const double SWEEP_ENTRIES = 16;     /* so many */
static const double SWEEP_BLOCKS = 132;     /* parts that each bring x by themselves: of an H100 */
static const int64_t SWEEP_NNZ = 1 << 21;   /* so many entries at least fill a GPU with blocks */
static const int64_t CACHED_COLS = 4000000; /* with so many columns at most a cache holds x */
static const double SCATTERED = 0.75;       /* of the entries have no neighbour */

/* What is weighed, and with what. */
typedef struct weighing {
    const spmv_matrix *A;
    const spmv_row_stats *stats;
    double bandwidth, vectors; /* bytes per second; bytes of x and y */
    size_t number;             /* bytes of an element of x */
} weighing;

static bool is_cached(const spmv_row_stats *s)
{
    return s->cols <= CACHED_COLS;
}

/* Neighbouring rows share nothing of x. */
static bool is_scattered(const spmv_row_stats *s)
{
    return s->share_without_neighbour > SCATTERED;
}

/* Bytes that an entry brings which shares nothing of x, or what takes as long. */
static double sector_of(const weighing *w)
{
    if (is_cached(w->stats)) return CACHED_SECTOR;
    return (double)w->stats->cols * (double)w->number > FAR_X ? FAR_SECTOR : SECTOR;
}

/* Seconds for so many bytes and the vectors, or for sectors of x where neighbouring rows share
 * nothing of it. */
static double product_time(const weighing *w, double bytes, double share)
{
    const double sectors = is_scattered(w->stats) ? sector_of(w) * (double)w->stats->nnz : 0;
    return LAUNCH + fmax(bytes + w->vectors, sectors) / (share * w->bandwidth);
}

static double csr_time(const weighing *w)
{
    const spmv_head *h = &w->A->head;
    const double entry = 4.0 + (double)spmv_type_size(h->type);
    return product_time(w, (double)h->nnz * entry + (double)h->rows * 4, CSR_SHARE);
}

/* Adds the bytes that rows [first, first + n) take as CSELL, and their entries. */
static spmv_status add_window(const spmv_csr *A, int64_t first, int64_t n, double *bytes,
                              int64_t *nnz, spmv_error *err)
{
    spmv_matrix window = {.csr = *A};
    spmv_size size;
    window.format = SPMV_CSR;
    window.csr.rows = n;
    window.csr.row_ptr = A->row_ptr + first;
    window.csr.nnz = A->row_ptr[first + n] - A->row_ptr[first];
    const spmv_status st = spmv_size_of(&window, SPMV_CSELL, NULL, &size, err);
    *bytes += size.bytes;
    *nnz += window.csr.nnz;
    return st;
}

/* Does so unless one of these rows is longer than that. */
static spmv_status add_short_rows(const spmv_csr *A, int64_t longest, int64_t first, int64_t n,
                                  double *bytes, int64_t *nnz, spmv_error *err)
{
    for (int64_t r = first; r < first + n; r++)
        if (A->row_ptr[r + 1] - A->row_ptr[r] > longest) return SPMV_SUCCESS;
    return add_window(A, first, n, bytes, nnz, err);
}

/* The bytes of so many entries of the matrix as CSELL, by those of windows that are evenly spread
 * and have no longer row; infinite where they cannot be told. */
static spmv_status csell_bytes(const spmv_csr *A, int64_t longest, double entries, double *bytes,
                               spmv_error *err)
{
    const int64_t most = (int64_t)WINDOWS * WINDOW;
    spmv_status st = SPMV_SUCCESS;
    int64_t nnz = 0;
    *bytes = 0;
    if (A->rows <= most) {
        SPMV__TRY(add_short_rows(A, longest, 0, A->rows, bytes, &nnz, err));
    } else {
        for (int64_t w = 0; w < WINDOWS; w++)
            SPMV__TRY(add_short_rows(A, longest, (A->rows - WINDOW) / (WINDOWS - 1) * w, WINDOW,
                                     bytes, &nnz, err));
    }
    *bytes = nnz > 0 ? *bytes * (entries / (double)nnz) : INFINITY;
done:
    return st;
}

/* A slice takes as long as its longest row, which must be no exception. */
static bool has_exceptions(const spmv_row_stats *s)
{
    return (double)s->max > 32 + 4 * s->mean || s->rows > INT32_MAX;
}

static spmv_status weigh_csell(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    double bytes;
    if (has_exceptions(s)) return SPMV_SUCCESS;
    const spmv_status st = csell_bytes(&w->A->csr, s->max, (double)s->nnz, &bytes, err);
    if (st != SPMV_SUCCESS) return st;
    out->product_s = product_time(w, bytes, CSELL_SHARE);
    out->setup_s = 200e-6 + 15e-12 * (double)s->nnz + 20e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* Rows that are far longer than the others stay in CSR. */
static spmv_status weigh_split(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    const double longest = fmax(SPMV__ROW_APART, SPMV__TIMES_APART * floor(s->mean));
    double bytes, apart = 0;
    if (!has_exceptions(s) || (double)s->max <= longest || s->nnz > INT32_MAX) return SPMV_SUCCESS;
    for (int b = 1; b < SPMV_HISTOGRAM_BINS; b++)
        if (ldexp(1, b - 1) > longest) apart += (double)s->entries[b];
    const spmv_status st =
        csell_bytes(&w->A->csr, (int64_t)longest, (double)s->nnz - apart, &bytes, err);
    if (st != SPMV_SUCCESS) return st;
    bytes += apart * (4 + (double)spmv_type_size(w->A->head.type));
    out->product_s = LAUNCH + product_time(w, bytes, CSELL_SHARE);
    out->setup_s = 200e-6 + 35e-12 * (double)s->nnz + 20e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* Has a block some entries of each page, so that its places do not stay empty? */
static bool fills_pages(const spmv_row_stats *s)
{
    double blocks = SWEEP_BLOCKS;
    while (blocks * SWEEP_ROWS < (double)(s->rows - s->empty)) blocks *= 2;
    return (double)s->nnz >= SWEEP_ENTRIES * blocks * ceil((double)s->cols / SWEEP_PAGE);
}

/* x goes through shared memory once for all blocks. */
static spmv_status weigh_staged(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    (void)err;
    if (w->number > 4 || is_cached(s) || !is_scattered(s) || fills_pages(s)) return SPMV_SUCCESS;
    out->product_s = STAGED_RATIO * csr_time(w);
    out->setup_s = 400e-6 + 80e-12 * (double)s->nnz + 60e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* The entries of a block share the sectors of x, as many as chance puts into one; all blocks go
 * over x together. */
static spmv_status weigh_sweep(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    const spmv_head *h = &w->A->head;
    (void)err;
    if (!is_scattered(s) || h->nnz < SWEEP_NNZ || w->number > 8 || !fills_pages(s))
        return SPMV_SUCCESS;
    const double nnz = (double)h->nnz, of_x = SECTOR / (double)w->number;
    const double together = nnz / SWEEP_BLOCKS / (double)s->cols * of_x;
    const double sectors = fmin(sector_of(w), SECTOR) * nnz * (1 - exp(-together)) / together;
    const double bytes = nnz * (4 + (double)spmv_type_size(h->type)) + w->vectors;
    out->product_s = LAUNCH + fmax(bytes, sectors) / (SWEEP_SHARE * w->bandwidth);
    out->setup_s = 300e-6 + 65e-12 * nnz + 60e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* Each leaves the time of a product 0 where its kernel is nothing for the matrix, as one of the
 * first two and one of the last two always are. */
static const struct {
    const char *kernel, *reason;
    spmv_status (*weigh)(const weighing *w, spmv_weighed *out, spmv_error *err);
} others[] = {
    {"csell", "columns in fewer bytes", weigh_csell},
    {"csr-split", "columns in fewer bytes, but of some long rows", weigh_split},
    {"csr-staged", "few entries everywhere in a long x", weigh_staged},
    {"csr-sweep", "columns everywhere in x", weigh_sweep},
};

spmv_status spmv_kernel_weigh(spmv_weighing *out, const spmv_matrix *A, const spmv_row_stats *stats,
                              double bandwidth, spmv_type vector_type, int64_t products,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_weighing){.count = 1};
    SPMV__REQUIRE(A != NULL && A->format == SPMV_CSR && stats != NULL, err);
    SPMV__REQUIRE(bandwidth > 0 && products >= 0, err);
    const spmv_head *h = &A->head;
    spmv_weighed *first = &out->kernel[0];
    weighing w = {A, stats, bandwidth, 0, spmv_type_size(vector_type)};
    w.vectors = ((double)h->rows + (double)h->cols) * (double)w.number;
    first->options = spmv_kernel_options_auto(stats, true, &first->reason);
    first->product_s = csr_time(&w);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        spmv_weighed k = {0};
        SPMV__TRY(others[i].weigh(&w, &k, err));
        if (k.product_s == 0) continue;
        k.options.kernel = others[i].kernel;
        k.reason = others[i].reason;
        const double saved = first->product_s - k.product_s;
        k.break_even = saved > 0 ? ceil(k.setup_s / saved) : INFINITY;
        const spmv_weighed *best = &out->kernel[out->best];
        const double n = (double)products;
        if (k.setup_s + n * k.product_s < best->setup_s + n * best->product_s)
            out->best = out->count;
        out->kernel[out->count++] = k;
    }
done:
    return st;
}
