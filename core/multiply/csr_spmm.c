/* csr_spmm.c -- y = alpha A x + beta y for compressed rows and vectors stored by rows, on the CPU.
 *
 * The walk over rows and nonzeros is cut into the pieces of row_walk.c.  Whole rows are summed some
 * at a time, as many as have their sums in the first-level cache, and written; the first row that a
 * piece completes and the last one that it leaves unfinished, which neighbours may share, leave
 * their sums in the scratch, and are combined at the end, in order.  Neither pieces nor sums depend
 * on the number of threads. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"
#include "core/matrix/vectors.h"

enum { ROOM = 2 * SPMV__BLOCK }; /* sums of whole rows at a time */

/* All counts of numbers are of real ones: a complex number is two. */
typedef struct spmm_product {
    const spmv__entries *A;
    const spmv__spmm_sums *sums;
    spmv_type x_type; /* of the parts of x */
    const void *x;
    int64_t x_step, y_step; /* from row to row */
    int64_t width;
    int64_t parts; /* of a number */
    spmv__output out;
} spmm_product;

/* sum [n x width]: of n rows and columns first .. first + width - 1 of the vectors. */
static void sum_rows(const spmm_product *j, const int64_t *start, int64_t n, int64_t first,
                     int64_t width, double *sum)
{
    int log = SPMV__SPMM_WIDTHS - 1;
    for (int64_t at = 0; at < width; at += 1 << log) {
        while (1 << log > width - at) log--;
        j->sums[log](start, n, j->A->col_idx, j->A->val,
                     spmv__value_at(j->x_type, j->x, first + at), j->x_step, sum + at, width);
    }
}

/* Write n x width sums of rows r .. r + n - 1, from column `first` of the vectors on. */
static void write(const spmm_product *j, int64_t r, int64_t n, int64_t first, int64_t width,
                  double *sum)
{
    const bool packed = width == j->y_step;
    const int64_t count = packed ? n * width : width;
    for (int64_t i = 0; i < (packed ? 1 : n); i++)
        spmv__output_sums(&j->out, NULL, ((r + i) * j->y_step + first) / j->parts, count / j->parts,
                          sum + i * width);
}

/* One piece.  head [width]: sums of the first row that it completes, tail [width]: of what it holds
 * of the row that it leaves unfinished. */
static void walk(const spmm_product *j, spmv__cut from, spmv__cut to, double *head, double *tail)
{
    const int64_t panel = j->width < ROOM ? j->width : ROOM, most = ROOM / panel;
    int64_t buffer[ROOM + 1];
    double sum[ROOM];
    int64_t pos = from.pos, n;

    if (from.row < to.row) {
        sum_rows(j, (int64_t[]){pos, spmv__row_begin(j->A, from.row + 1)}, 1, 0, j->width, head);
        pos = spmv__row_begin(j->A, to.row);
    }
    for (int64_t r = from.row + 1; r < to.row; r += n) {
        n = to.row - r < most ? to.row - r : most;
        const int64_t *start = spmv__row_starts(j->A, r, n, buffer);
        for (int64_t first = 0; first < j->width; first += panel) {
            const int64_t left = j->width - first, width = left < panel ? left : panel;
            sum_rows(j, start, n, first, width, sum);
            write(j, r, n, first, width, sum);
        }
    }
    sum_rows(j, (int64_t[]){pos, to.pos}, 1, 0, j->width, tail);
}

static void add(double *sum, const double *term, int64_t n)
{
    for (int64_t i = 0; i < n && term != NULL; i++) sum[i] += term[i];
}

/* Add up the rows that pieces share and write them. */
static void combine(const spmm_product *j, const spmv__cut *cuts, int pieces, double *shared)
{
    const double *open = NULL; /* what earlier pieces hold of the row at the cut */
    for (int k = 0; k < pieces; k++) {
        double *head = shared + 2 * k * j->width, *tail = head + j->width;
        if (cuts[k].row < cuts[k + 1].row) {
            add(head, open, j->width);
            write(j, cuts[k].row, 1, 0, j->width, head);
        } else {
            add(tail, open, j->width);
        }
        open = tail;
    }
}

void spmv__entries_spmm(const spmv__entries *A, spmv_scalar alpha, const spmv_dense *x,
                        spmv_scalar beta, const spmv_dense *y, double *scratch, int threads)
{
    const int64_t parts = spmv__parts(x->type);
    spmm_product j = {.A = A,
                      .x_type = spmv__part_type(x->type),
                      .x_step = spmv__row_step(x) * parts,
                      .y_step = spmv__row_step(y) * parts,
                      .width = x->cols * parts,
                      .parts = parts,
                      .out = {.type = x->type, .alpha = alpha, .beta = beta, .y = y->data}};
    const int pieces = spmv__pieces(A);
    spmv__cut cuts[SPMV__PIECES + 1];

    j.x = spmv__before(x->data, A->base * spmv__row_step(x), (int64_t)spmv_type_size(x->type));
    j.sums = spmv__spmm_sums_for(A->type, j.x_type, A->wide, spmv__best_instructions());
    for (int k = 0; k <= pieces; k++) cuts[k] = spmv__cut_at(A, k, pieces);
    if (threads > pieces) threads = pieces;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
    for (int k = 0; k < pieces; k++)
        walk(&j, cuts[k], cuts[k + 1], scratch + 2 * k * j.width, scratch + (2 * k + 1) * j.width);
    combine(&j, cuts, pieces, scratch);
}
