/* diagonals.c -- multiply a matrix whose k-th entries lie together (ELL, JDS), in blocks of rows.
 *
 * Idea: a block of rows goes through the diagonals one after the other, its sums in the first-level
 * cache.  Blocks alone would leave one thread with the few rows that are much longer than the
 * rest, so the diagonals that only a few rows reach (in JDS they come last, and in an ELL of few
 * rows they are all) are cut along k into strips first, each with sums of its own; a row then
 * adds its strips in order.
 *
 * Blocks and strips depend on the matrix alone, and so does every bit of the result.  Balance at
 * its worst: a matrix of little more than FEW equally long rows has FEW / MIN_BLOCK blocks.
 * Time O(slots), 135 KB of stack, no allocation. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"

enum {
    FEW = 256,     /* rows at most in strips */
    STRIPS = 32,   /* at most */
    MIN_BLOCK = 32 /* rows, short of SPMV__BLOCK when there are not enough blocks */
};

static int64_t start_of(const spmv__diagonals *A, int64_t k)
{
    return A->diag_ptr != NULL ? A->diag_ptr[k] : k * A->rows;
}

/* The first diagonal that is at most this long; all after it are no longer. */
static int64_t first_short(const spmv__diagonals *A, int64_t length)
{
    int64_t low = 0, high = A->diags;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (start_of(A, middle + 1) - start_of(A, middle) > length)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first diagonal from `low` on that begins at or after position p. */
static int64_t first_from(const spmv__diagonals *A, int64_t low, int64_t p)
{
    int64_t high = A->diags;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (start_of(A, middle) < p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Add diagonals k .. end - 1 of the n (sorted) rows from `row` on to sum. */
static void add_rows(const spmv__diagonals *A, spmv__diagonal_add add, int64_t k, int64_t end,
                     int64_t row, int64_t n, const void *x, double *sum)
{
    for (; k < end; k++) {
        const int64_t p = start_of(A, k) + row, left = start_of(A, k + 1) - p;
        if (left <= 0) break;
        add(left < n ? left : n, 1, 0, A->col_idx + p, spmv__value_at(A->type, A->val, p), x, sum);
    }
}

/* The work is cut into blocks of rows for the first `few` diagonals, and into strips for the
 * others. */
typedef struct block_plan {
    int64_t few;
    int strips;
    int64_t block, blocks; /* rows in one, and how many */
} block_plan;

static block_plan make_plan(const spmv__diagonals *A)
{
    block_plan p = {.few = first_short(A, FEW),
                    .block = A->rows / SPMV__BLOCKS / MIN_BLOCK * MIN_BLOCK};
    const int64_t wanted = (start_of(A, A->diags) - start_of(A, p.few)) / SPMV__LEAST_SLOTS + 1;

    p.strips = wanted < STRIPS ? (int)wanted : STRIPS;
    if (p.block < MIN_BLOCK) p.block = MIN_BLOCK;
    if (p.block > SPMV__BLOCK) p.block = SPMV__BLOCK;
    p.blocks = (A->rows + p.block - 1) / p.block;
    return p;
}

/* The first diagonal of strip s. */
static int64_t strip_begin(const spmv__diagonals *A, const block_plan *p, int s)
{
    const int64_t begin = start_of(A, p->few), slots = start_of(A, A->diags) - begin;
    return s < p->strips ? first_from(A, p->few, begin + slots / p->strips * s) : A->diags;
}

static void sum_strip(const spmv__diagonals *A, const block_plan *p, int s, spmv__diagonal_add add,
                      const void *x, double *strip)
{
    for (int i = 0; i < 2 * FEW; i++) strip[i] = 0;
    add_rows(A, add, strip_begin(A, p, s), strip_begin(A, p, s + 1), 0, FEW, x, strip);
}

/* Sum and write the rows of block b. */
static void sum_block(const spmv__diagonals *A, const block_plan *p, int64_t b,
                      spmv__diagonal_add add, const void *x, double (*strip)[2 * FEW],
                      const spmv__output *out)
{
    const int64_t row = b * p->block, left = A->rows - row, n = left < p->block ? left : p->block;
    const int64_t parts = spmv__parts(out->type), few = (row + n < FEW ? row + n : FEW) - row;
    double sum[2 * SPMV__BLOCK] = {0};

    add_rows(A, add, 0, p->few, row, n, x, sum);
    for (int s = 0; s < p->strips && row < FEW; s++)
        for (int64_t i = 0; i < few * parts; i++) sum[i] += strip[s][row * parts + i];
    spmv__output_sums(out, A->perm, row, n, sum);
}

void spmv__diagonals_multiply(const spmv__diagonals *A, spmv_type x_type, const void *x,
                              const spmv__output *out, int threads)
{
    const spmv__diagonal_add add = spmv__diagonal_add_for(A->type, x_type, spmv__use_avx2());
    const block_plan p = make_plan(A);
    const int run = p.blocks > 4 * SPMV__BLOCKS ? (int)(p.blocks / (4 * SPMV__BLOCKS)) : 1;
    double strip[STRIPS][2 * FEW];

    if (start_of(A, A->diags) < SPMV__LEAST_SLOTS) threads = 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(dynamic)
        for (int s = 0; s < p.strips; s++) sum_strip(A, &p, s, add, x, strip[s]);
#pragma omp for schedule(dynamic, run)
        for (int64_t b = 0; b < p.blocks; b++) sum_block(A, &p, b, add, x, strip, out);
    }
}
