/* row_statistics.c -- how long are the rows?  Row lengths are read off the row pointers of CSR and
 * the runs of COO (which may have more rows than there is memory), and counted in every other
 * format, but where that would take far more than the entries do.  A file that is mapped may change
 * meanwhile: no index that was read leads to where something is written unless it is looked at. */
#include "core/matrix/format.h"

#include <math.h>
#include <stdlib.h>

/* `count` rows have this many entries. */
static void add(spmv_row_stats *s, int64_t length, int64_t count)
{
    int bin = length > 0 ? 64 - __builtin_clzll((unsigned long long)length) : 0;
    if (count == 0) return;
    if (length < s->min) s->min = length;
    if (length > s->max) s->max = length;
    s->histogram[bin] += count;
    s->entries[bin] += count * length;
    s->stddev += (double)count * ((double)length - s->mean) * ((double)length - s->mean);
}

static void add_runs(spmv_row_stats *s, const spmv_coo *A)
{
    int64_t empty = A->rows, end;
    for (int64_t p = 0; p < A->nnz; p = end) {
        for (end = p + 1; end < A->nnz && A->row_idx[end] == A->row_idx[p];) end++;
        add(s, end - p, 1);
        empty--;
    }
    add(s, 0, empty);
}

typedef struct row_counts {
    int64_t rows;
    int64_t *length; /* [rows] */
} row_counts;

static bool is_row(int64_t row, int64_t rows)
{
    return row >= 0 && row < rows;
}

static void count_row(void *user, int64_t row, int64_t col, const void *val)
{
    const row_counts *of = user;
    (void)col, (void)val;
    if (is_row(row, of->rows)) of->length[row]++;
}

/* ---- How scattered columns are -------------------------------------------------------------- */

/* Rows are looked at with the one above: number 1, 1 + step, ... */
static int64_t step_of(int64_t rows)
{
    enum { ROWS = 512 };
    return rows / ROWS + 1;
}

/* The places of rows and their columns: those of CSR, or of entries in order. */
typedef struct row_lengths {
    const int64_t *row_ptr, *row_idx; /* one of them is NULL */
    const int32_t *narrow;            /* columns of CSR, */
    const int64_t *wide;              /* of entries */
    int64_t nnz;
} row_lengths;

static int64_t column_of(const row_lengths *list, int64_t p)
{
    return list->narrow != NULL ? list->narrow[p] : list->wide[p];
}

static int64_t row_begin(const row_lengths *list, int64_t r)
{
    return list->row_ptr != NULL ? list->row_ptr[r]
                                 : spmv__find_offset(list->row_idx, list->nnz, r);
}

/* The share of some entries of some rows near which the row above has none. */
static double scattered(const row_lengths *list, int64_t rows)
{
    enum { ENTRIES = 16, NEAR = 32 };
    const int64_t step = step_of(rows);
    int64_t seen = 0, alone = 0;
    for (int64_t r = 1; r < rows; r = step < rows - r ? r + step : rows) {
        const int64_t begin = row_begin(list, r), end = row_begin(list, r + 1);
        for (int64_t p = begin, q = row_begin(list, r - 1); p < end && p < begin + ENTRIES; p++) {
            const int64_t col = column_of(list, p);
            while (q < begin && column_of(list, q) < col - NEAR) q++;
            alone += q == begin || column_of(list, q) > col + NEAR;
            seen++;
        }
    }
    return seen > 0 ? (double)alone / (double)seen : 0;
}

static double scattered_csr(const spmv_csr *A)
{
    const row_lengths list = {.row_ptr = A->row_ptr, .narrow = A->col_idx, .nnz = A->nnz};
    return scattered(&list, A->rows);
}

static double scattered_coo(const spmv_coo *A)
{
    const row_lengths list = {.row_idx = A->row_idx, .wide = A->col_idx, .nnz = A->nnz};
    return scattered(&list, A->rows);
}

/* The entries of the rows that are looked at, in order. */
typedef struct row_sample {
    int64_t rows, step, n;
    int64_t *next;      /* [rows / step + 1][2] where the next entry of such a row belongs */
    int64_t *row, *col; /* [n] */
} row_sample;

static bool is_looked_at(const row_sample *s, int64_t row)
{
    return row % s->step <= 1;
}

static int64_t *next_of(const row_sample *s, int64_t row)
{
    return &s->next[2 * (row / s->step) + row % s->step];
}

static void take_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const row_sample *s = user;
    (void)val;
    if (!is_row(row, s->rows) || !is_looked_at(s, row)) return;
    const int64_t p = (*next_of(s, row))++;
    if (p >= s->n) return;
    s->row[p] = row;
    s->col[p] = col;
}

/* Any other format gives its entries row by row in no order, but each row ascends. */
static spmv_status scattered_other(double *out, const spmv_matrix *A, const int64_t *length,
                                   spmv_error *err)
{
    const int64_t rows = A->head.rows;
    row_sample s = {.rows = rows, .step = step_of(rows)};
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s.next, 2 * (rows / s.step + 1), sizeof *s.next, "some rows", err));
    for (int64_t r = 0; r < rows; r++) {
        if (!is_looked_at(&s, r)) continue;
        *next_of(&s, r) = s.n;
        s.n += length[r];
    }
    SPMV__TRY(spmv__alloc(&s.row, s.n, sizeof *s.row, "some rows", err));
    SPMV__TRY(spmv__alloc(&s.col, s.n, sizeof *s.col, "some rows", err));
    spmv__format_of(A->format)->each(A, take_entry, &s);
    const row_lengths list = {.row_idx = s.row, .wide = s.col, .nnz = s.n};
    *out = scattered(&list, rows);
done:
    free(s.next);
    free(s.row);
    free(s.col);
    return st;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void add_listed(spmv_row_stats *s, const spmv_coo *A)
{
    add_runs(s, A);
    s->share_without_neighbour = scattered_coo(A);
}

static spmv_status add_converted(spmv_row_stats *s, const spmv_matrix *A, spmv_error *err)
{
    spmv_matrix B;
    const spmv_status st = spmv_convert(&B, A, SPMV_COO, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    add_listed(s, &B.coo);
    spmv_destroy(&B);
    return st;
}

static spmv_status add_counted(spmv_row_stats *s, const spmv_matrix *A, spmv_error *err)
{
    row_counts of = {.rows = A->head.rows};
    spmv_status st;
    SPMV__TRY(spmv__alloc(&of.length, of.rows, sizeof *of.length, "row lengths", err));
    spmv__format_of(A->format)->each(A, count_row, &of);
    for (int64_t r = 0; r < of.rows; r++) add(s, of.length[r], 1);
    SPMV__TRY(scattered_other(&s->share_without_neighbour, A, of.length, err));
done:
    free(of.length);
    return st;
}

spmv_status spmv_row_stats_compute(const spmv_matrix *A, spmv_row_stats *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st = SPMV_SUCCESS;
    spmv_row_stats s = {.rows = A->head.rows, .cols = A->head.cols, .nnz = A->head.nnz};

    if (s.rows > 0) {
        s.min = INT64_MAX;
        s.mean = (double)s.nnz / (double)s.rows;
    }
    if (A->format == SPMV_COO) {
        add_listed(&s, &A->coo);
    } else if (A->format == SPMV_CSR) {
        for (int64_t r = 0; r < s.rows; r++) add(&s, A->csr.row_ptr[r + 1] - A->csr.row_ptr[r], 1);
        s.share_without_neighbour = scattered_csr(&A->csr);
    } else if (spmv__is_hypersparse(s.rows, s.nnz)) {
        SPMV__TRY(add_converted(&s, A, err));
    } else {
        SPMV__TRY(add_counted(&s, A, err));
    }
    s.empty = s.histogram[0];
    s.stddev = s.rows > 0 ? sqrt(s.stddev / (double)s.rows) : 0;
    *out = s;
done:
    return st;
}
