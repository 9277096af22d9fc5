/* weigh_kernels.c -- is the set-up of another kernel, or format, worth its while?
 *
 * A multiplication on a GPU takes about as long as it takes to move its bytes.  Those of CSR follow
 * from its shape; those of CSELL are counted in windows of rows, by what a conversion would do with
 * them; those of x in runs of entries, by how many sectors or elements they name.  What a set-up
 * takes, and what share of the bandwidth a kernel reaches, was measured on matrices of 10 to 130
 * million entries, on one H100 and one H200. */
#include "core/matrix/format.h"
#include "core/multiply/long_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 16, WINDOW = 128 };      /* rows of a sample, whole slices, */
enum { LOOKED_AT = 1 << 18 };             /* entries of it, unless one window has more */
enum { RUNS = 4, LONGEST_RUN = 1 << 19 }; /* entries that are looked at */
enum { ONE_OF = 61 };                     /* the share of columns, side by side, that is counted */

static const double LAUNCH = 3e-6;          /* seconds of a multiplication without bytes, */
static const double LONG_ROWS = 6e-6;       /* and more where long rows are cut up */
static const double SECTOR = 32;            /* bytes of a cache sector */
static const double MISS = 110;             /* further bytes that a miss costs */
static const double CACHE = 27e6;           /* bytes of x that stay in the L2 cache (H100, H200) */
static const int64_t CACHED_COLS = 4000000; /* columns of such an x, beside other data */
static const int64_t AT_ONCE = 1 << 12;     /* entries that share sectors of x in an L1 cache */
static const double SCATTERED = 0.5;        /* of the entries have no neighbour */
static const double CSR_SHARE = 0.68;       /* of the bandwidth, where rows are alike, */
static const double MERGE_SHARE = 0.6;      /* and where they are not */
static const double PANEL = 160e3;          /* bytes of x in shared memory: rows that have */
static const double PANEL_ENTRIES = 16;     /* this many entries in each take from there */
static const double PANEL_SECTORS = 0.5;    /* of their sectors */
static const double CSELL_SHARE = 0.67;     /* of the bandwidth */
static const double STAGED_SHARE = 0.6;     /* of the bandwidth */
static const double STAGED_BLOCK = 232448;  /* bytes of shared memory of a block (H100, H200) */
static const double STAGED_GROUP = 8;     /* elements side by side of each part of x of that size */
static const double SWEEP_ENTRY = 4;      /* bytes in whose time an entry is added up */
static const double SWEEP_X_SHARE = 0.4;  /* of the bandwidth for x and y from memory, */
static const double SWEEP_L2_SHARE = 1.3; /* and for sectors of x from the L2 cache */
static const double SWEEP_ROUND = 4e-6;   /* seconds to begin and to end all blocks at once */
static const double SWEEP_ROWS = 14500;   /* whose sums fit into that (H100, H200) */
static const double SWEEP_PAGE = 65536;   /* columns of a page, */
static const double SWEEP_ENTRIES = 16;   /* and the entries in each that a block needs */
static const double SWEEP_BLOCKS = 132;   /* at once (H100, H200) */
static const int64_t SWEEP_NNZ = 1 << 21; /* entries that fill a GPU with blocks */

/* What is weighed, and with what. */
typedef struct weighing {
    const spmv_matrix *A;
    const spmv_row_stats *stats;
    double bandwidth; /* bytes per second */
    size_t number;    /* bytes of an element of x and y */
    double x, y;      /* bytes */
    double apart;     /* the share of entries that bring a sector of x, */
    double missed;    /* and of these sectors, those that no cache has */
} weighing;

static bool is_cached(const spmv_row_stats *s)
{
    return s->cols <= CACHED_COLS;
}

/* Neighbouring rows share little of x. */
static bool is_scattered(const spmv_row_stats *s)
{
    return s->share_without_neighbour > SCATTERED;
}

/* *share = the share of entries that are the first of a run of `entries` to name one of the
 * `columns` neighbouring columns that theirs is among, and *late, unless it is NULL, = that of the
 * entries in the second half of a run.  Estimated from a sample of columns in a few runs. */
static spmv_status share_apart(const spmv_csr *A, int64_t entries, int64_t columns, double *share,
                               double *late, spmv_error *err)
{
    const int64_t n = entries < A->nnz ? entries : A->nnz;
    const int64_t units = A->cols / columns + 1; /* a mapped file that changes may name others */
    int64_t found[2] = {0, 0};
    unsigned char *last = NULL; /* run that named them */
    spmv_status st;
    SPMV__TRY(spmv__alloc(&last, units / ONE_OF + 1, 1, "columns", err));
    for (int run = 1; run <= RUNS; run++) {
        const int64_t first = (A->nnz - n) / RUNS * run;
        for (int64_t p = first; p < first + n; p++) {
            const uint32_t unit = (uint32_t)A->col_idx[p] / (uint32_t)columns;
            if (unit % ONE_OF != 0 || unit >= units || last[unit / ONE_OF] == run) continue;
            last[unit / ONE_OF] = (unsigned char)run;
            found[p - first >= n / 2]++;
        }
    }
    *share = n > 0 ? fmin((double)((found[0] + found[1]) * ONE_OF) / (double)(n * RUNS), 1) : 0;
    if (late != NULL)
        *late = n > 0 ? fmin((double)(found[1] * ONE_OF) / (double)((n - n / 2) * RUNS), 1) : 0;
done:
    free(last);
    return st;
}

static int64_t columns_of_sector(const weighing *w)
{
    return (int64_t)SECTOR / (int64_t)w->number;
}

/* The share of sectors that come from memory, as no cache has room for all of x: fewer where some
 * are named again and again. */
static spmv_status share_missed(const weighing *w, double *missed, spmv_error *err)
{
    double share, late;
    *missed = 0;
    if (w->x <= CACHE) return SPMV_SUCCESS;
    const spmv_status st =
        share_apart(&w->A->csr, LONGEST_RUN, columns_of_sector(w), &share, &late, err);
    if (st != SPMV_SUCCESS) return st;
    *missed = (1 - CACHE / w->x) * late * late * w->stats->share_without_neighbour;
    return SPMV_SUCCESS;
}

/* Seconds for bytes of rows, and y, and then for those of entries and the sectors of x, which come
 * at the same time. */
static double product_time(const weighing *w, double rows, double entries, double share)
{
    const double sectors = w->apart * (SECTOR + MISS * w->missed) * (double)w->stats->nnz;
    const double bytes = (rows + w->y) / share + hypot(entries / share, sectors);
    return LAUNCH + bytes / w->bandwidth;
}

/* Plans number rows and entries in 32 bits. */
static bool is_narrow(const spmv_row_stats *s)
{
    return s->rows + s->nnz <= INT32_MAX;
}

/* Entries in rows of at least `least` each, as far as bins of lengths say. */
static double entries_in_rows(const spmv_row_stats *s, double least)
{
    double entries = 0;
    for (int b = 1; b < SPMV_HISTOGRAM_BINS; b++)
        if (ldexp(1, b - 1) >= least) entries += (double)s->entries[b];
    return entries;
}

/* Of a kernel that needs no other format. */
static double csr_time(weighing w, const char *kernel)
{
    const spmv_head *h = &w.A->head;
    const double entry = 4.0 + (double)spmv_type_size(h->type);
    if (strcmp(kernel, "csr-panels") == 0)
        w.apart *= 1 - PANEL_SECTORS * entries_in_rows(w.stats, PANEL_ENTRIES * w.x / PANEL) /
                           (double)h->nnz;
    const bool skewed = spmv__rows_are_skewed(w.stats);
    return (skewed ? LONG_ROWS : 0) + product_time(&w, (double)h->rows * 4, (double)h->nnz * entry,
                                                   skewed ? MERGE_SHARE : CSR_SHARE);
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

/* As add_window, unless a row has more than `longest` entries. */
static spmv_status add_short_rows(const spmv_csr *A, int64_t longest, int64_t first, int64_t n,
                                  double *bytes, int64_t *nnz, spmv_error *err)
{
    for (int64_t r = first; r < first + n; r++)
        if (A->row_ptr[r + 1] - A->row_ptr[r] > longest) return SPMV_SUCCESS;
    return add_window(A, first, n, bytes, nnz, err);
}

/* Estimate the bytes of `entries` entries as CSELL from evenly spread windows without longer rows;
 * infinite if there is no such window. */
static spmv_status csell_bytes(const spmv_csr *A, int64_t longest, double entries, double *bytes,
                               spmv_error *err)
{
    const int64_t window = A->rows < WINDOW ? A->rows : WINDOW;
    const int64_t all = (A->rows + WINDOW - 1) / WINDOW, most = all < WINDOWS ? all : WINDOWS;
    const int64_t few =
        (int64_t)((double)LOOKED_AT * (double)A->rows / (double)(window * A->nnz + 1));
    const int64_t n = few < 1 ? 1 : few < most ? few : most;
    spmv_status st = SPMV_SUCCESS;
    int64_t nnz = 0;
    *bytes = 0;
    for (int64_t w = 0; w < n; w++)
        SPMV__TRY(add_short_rows(A, longest, (A->rows - window) / (2 * n) * (2 * w + 1), window,
                                 bytes, &nnz, err));
    *bytes = nnz > 0 ? *bytes * (entries / (double)nnz) : INFINITY;
done:
    return st;
}

static spmv_status weigh_csell(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    double bytes;
    if (spmv__rows_are_skewed(s) || s->rows > INT32_MAX) return SPMV_SUCCESS;
    const spmv_status st = csell_bytes(&w->A->csr, s->max, (double)s->nnz, &bytes, err);
    if (st != SPMV_SUCCESS) return st;
    out->product_s = product_time(w, 4 * (double)s->rows, bytes, CSELL_SHARE);
    out->setup_s = 200e-6 + 15e-12 * (double)s->nnz + 20e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* Rows that are far longer than the others stay in CSR. */
static spmv_status weigh_split(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    const double longest = fmax(SPMV__ROW_APART, SPMV__TIMES_APART * floor(s->mean));
    const double apart = entries_in_rows(s, longest + 1);
    double bytes;
    if (!spmv__rows_are_skewed(s) || (double)s->max <= longest || !is_narrow(s))
        return SPMV_SUCCESS;
    const spmv_status st =
        csell_bytes(&w->A->csr, (int64_t)longest, (double)s->nnz - apart, &bytes, err);
    if (st != SPMV_SUCCESS) return st;
    bytes += apart * (4 + (double)spmv_type_size(w->A->head.type));
    out->product_s = LONG_ROWS + product_time(w, 0, bytes, CSELL_SHARE);
    out->setup_s = 200e-6 + 35e-12 * (double)s->nnz + 20e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* x goes through shared memory once for all blocks: what each wants of it is gathered first. */
static spmv_status weigh_staged(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    const double nnz = (double)s->nnz, number = (double)w->number, slots = STAGED_BLOCK / number;
    const double panels = ceil((double)s->cols / slots);
    double apart;
    if (!is_narrow(s) || w->number > 8 || is_cached(s) || !is_scattered(s) ||
        STAGED_GROUP * panels > slots / 2)
        return SPMV_SUCCESS;
    const spmv_status st = share_apart(&w->A->csr, (int64_t)slots, 1, &apart, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const double entry = (double)spmv_type_size(w->A->head.type) + 2;
    const double bytes = nnz * (entry + apart * (2 * number + 2.5)) + 4 * (double)s->rows;
    out->product_s = 2 * LAUNCH + (bytes + w->x + w->y) / (STAGED_SHARE * w->bandwidth);
    out->setup_s = 400e-6 + 70e-12 * nnz + 100e-12 * (double)s->rows + 60e-12 * (double)s->cols;
    return SPMV_SUCCESS;
}

/* All blocks that run at once go over x together; each brings a sector once for its entries. */
static spmv_status weigh_sweep(const weighing *w, spmv_weighed *out, spmv_error *err)
{
    const spmv_row_stats *s = w->stats;
    const double nnz = (double)s->nnz;
    const double rounds = ceil((double)(s->rows - s->empty) / (SWEEP_BLOCKS * SWEEP_ROWS));
    const double block = nnz / (SWEEP_BLOCKS * rounds);
    double apart;
    if (!is_narrow(s) || !is_scattered(s) || s->nnz < SWEEP_NNZ || w->number > 8 ||
        block < SWEEP_ENTRIES * ceil((double)s->cols / SWEEP_PAGE))
        return SPMV_SUCCESS;
    const spmv_status st =
        share_apart(&w->A->csr, block < (double)LONGEST_RUN ? (int64_t)block : LONGEST_RUN,
                    columns_of_sector(w), &apart, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const double round = w->x * (1 - exp(-nnz / rounds * SECTOR / w->x)); /* bytes of x in one */
    const double x = is_cached(s) ? round : rounds * round;
    const double entry = 4 + (double)spmv_type_size(w->A->head.type) + SWEEP_ENTRY;
    const double memory = nnz * entry + (x + w->y) / SWEEP_X_SHARE;
    const double sectors = nnz * apart * SECTOR / SWEEP_L2_SHARE;
    out->product_s = LAUNCH + rounds * SWEEP_ROUND + hypot(memory, sectors) / w->bandwidth;
    out->setup_s = 300e-6 + 65e-12 * nnz + 60e-12 * (double)s->rows;
    return SPMV_SUCCESS;
}

/* Each leaves product_s 0 where its kernel does not suit the matrix, and makes it infinite where
 * the time is unknown.  csell and csr-split exclude each other: with the kernel that needs no
 * set-up there are never more than SPMV_WEIGHED. */
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
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE(A->format == SPMV_CSR && stats != NULL, err);
    SPMV__REQUIRE(bandwidth > 0 && products >= 0 && spmv_type_size(vector_type) > 0, err);
    const spmv_head *h = &A->head;
    st = spmv__check_whole(h->symmetry, err);
    if (st != SPMV_SUCCESS) return st;
    spmv_weighed *first = &out->kernel[0];
    weighing w = {A, stats, bandwidth, spmv_type_size(vector_type), 0, 0, 0, 0};
    w.x = (double)h->cols * (double)w.number;
    w.y = (double)h->rows * (double)w.number;
    SPMV__TRY(share_apart(&A->csr, AT_ONCE, columns_of_sector(&w), &w.apart, NULL, err));
    SPMV__TRY(share_missed(&w, &w.missed, err));
    first->options = spmv_kernel_options_auto(stats, true, &first->reason);
    first->product_s = csr_time(w, first->options.kernel);
    for (size_t i = 0; i < sizeof others / sizeof others[0] && out->count < SPMV_WEIGHED; i++) {
        spmv_weighed k = {0};
        SPMV__TRY(others[i].weigh(&w, &k, err));
        if (k.product_s == 0 || !isfinite(k.product_s)) continue;
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
