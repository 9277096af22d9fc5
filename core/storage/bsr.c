/* bsr.c -- dense blocks (BSR): rows and columns are cut into groups, and where a group of rows
 * meets a group of columns, all places are stored, with one column index for all of them.
 *
 * Idea: several unknowns at one place of a grid make dense blocks, which need the column once
 * instead of for every entry.  Places without an entry are told from entries of value 0 by a bit,
 * so that a matrix comes back as it was, and an infinite x meets no entry that is not there.  The
 * block that is chosen takes the least memory. */
#include "core/matrix/value.h"
#include "core/storage/bsr.h"
#include "core/storage/ell.h"

#include <math.h>
#include <stdio.h>

enum { SAMPLE = 1 << 18 }; /* entries that the choice of the block looks at */

/* ---- Arrays --------------------------------------------------------------------------------- */

static bool is_possible(int64_t block)
{
    return block >= 2 && block <= SPMV_BSR_BLOCK;
}

static int64_t groups_plus_1(const spmv_matrix *A)
{
    return is_possible(A->bsr.block) ? spmv__bsr_groups(A->bsr.rows, A->bsr.block) + 1 : -1;
}

static int64_t blocks(const spmv_matrix *A)
{
    return A->bsr.blocks;
}

static int64_t words(const spmv_matrix *A)
{
    int64_t n;
    const bool possible = is_possible(A->bsr.block);
    return possible && spmv__product(A->bsr.blocks, spmv__bsr_mask_words(&A->bsr), &n) ? n : -1;
}

static int64_t slots(const spmv_matrix *A)
{
    int64_t n;
    const bool possible = is_possible(A->bsr.block);
    return possible && spmv__product(A->bsr.blocks, A->bsr.block * A->bsr.block, &n) ? n : -1;
}

static const spmv__array arrays[] = {
    {"row_ptr", offsetof(spmv_matrix, bsr.row_ptr), SPMV__OFFSETS, SPMV__I64, groups_plus_1},
    {"col_idx", offsetof(spmv_matrix, bsr.col_idx), SPMV__INDICES, SPMV__I32, blocks},
    {"mask", offsetof(spmv_matrix, bsr.mask), SPMV__INDICES, SPMV__I32, words},
    {"val", offsetof(spmv_matrix, bsr.val), SPMV__VALUES, SPMV__VALUE, slots},
};
static const size_t params[] = {offsetof(spmv_matrix, bsr.block),
                                offsetof(spmv_matrix, bsr.blocks)};

static spmv_status check_size(int64_t block, spmv_error *err)
{
    if (is_possible(block)) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "blocks of %lld rows: there must be 2 to %d",
                      (long long)block, SPMV_BSR_BLOCK);
}

spmv_status spmv_bsr_create(spmv_bsr *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t block, int64_t blocks, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_BSR, type, SPMV_GENERAL, rows, cols, 0);
    A.bsr.block = block;
    A.bsr.blocks = blocks;
    memset(out, 0, sizeof *out);
    spmv_status st = check_size(block, err);
    if (st == SPMV_SUCCESS) st = spmv__allocate(&A, err);
    if (st == SPMV_SUCCESS) *out = A.bsr;
    return st;
}

/* ---- Places --------------------------------------------------------------------------------- */

static void set_entry(const spmv_bsr *A, int64_t k, int64_t place)
{
    int32_t *word = &A->mask[k * spmv__bsr_mask_words(A) + place / 32];
    *word = (int32_t)((uint32_t)*word | (uint32_t)1 << (place % 32));
}

/* ---- Checking ------------------------------------------------------------------------------- */

/* The places of block k in group g of the rows; adds its entries to *n. */
static spmv_status check_block(const spmv_matrix *M, int64_t g, int64_t k, int64_t *n,
                               spmv_error *err)
{
    const spmv_bsr *A = &M->bsr;
    const int64_t places = A->block * A->block, before = *n;
    for (int64_t i = 0; i < spmv__bsr_mask_words(A) * 32; i++) {
        const int64_t r = g * A->block + i % A->block;
        const int64_t c = A->col_idx[k] * A->block + i / A->block, p = k * places + i;
        if (spmv__bsr_is_entry(A, k, i)) {
            if (i >= places)
                return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                                  "bit %lld of the mask of block %lld stands for no place",
                                  (long long)i, (long long)k);
            if (!spmv__entry_valid(&M->head, r, c)) return spmv__bad_entry(M, p, r, c, err);
            ++*n;
        } else if (i < places && spmv__holds_value(A->type, A->val, p)) {
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "place %lld of block %lld is padding, but holds a value",
                              (long long)i, (long long)k);
        }
    }
    if (*n == before)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "block %lld has no entry", (long long)k);
    return SPMV_SUCCESS;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    spmv_status st;
    const spmv_bsr *A = &M->bsr;
    int64_t n = 0;

    SPMV__TRY(check_size(A->block, err));
    const int64_t rows = spmv__bsr_groups(A->rows, A->block),
                  cols = spmv__bsr_groups(A->cols, A->block);
    SPMV__TRY(spmv__check_offsets(A->row_ptr, rows, A->blocks, "row_ptr", err));
    for (int64_t g = 0; g < rows; g++) {
        for (int64_t k = A->row_ptr[g]; k < A->row_ptr[g + 1]; k++) {
            const int64_t c = A->col_idx[k];
            if (c < 0 || c >= cols || (k > A->row_ptr[g] && c <= A->col_idx[k - 1]))
                return spmv__fail(
                    err, SPMV_ERROR_INVALID_FORMAT,
                    "block %lld of group %lld is at %lld: out of order, or not one of "
                    "%lld",
                    (long long)k, (long long)g, (long long)c, (long long)cols);
            SPMV__TRY(check_block(M, g, k, &n, err));
        }
    }
    if (n != A->nnz)
        st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "BSR holds %lld entries, expected %lld",
                        (long long)n, (long long)A->nnz);
done:
    return st;
}

/* ---- Converting ----------------------------------------------------------------------------- */

/* The rows of a group, side by side: how far each of them has been read. */
typedef struct group_walk {
    const spmv_csr *A;
    int64_t block, rows; /* in the group */
    int64_t next[SPMV_BSR_BLOCK], end[SPMV_BSR_BLOCK];
} group_walk;

static group_walk walk_group(const spmv_csr *A, int64_t block, int64_t g)
{
    const int64_t first = g * block, left = A->rows - first;
    group_walk w = {.A = A, .block = block, .rows = left < block ? left : block};
    for (int64_t i = 0; i < w.rows; i++) {
        w.next[i] = A->row_ptr[first + i];
        w.end[i] = A->row_ptr[first + i + 1];
    }
    return w;
}

/* The next group of columns that has an entry, or -1. */
static int64_t next_block(const group_walk *w)
{
    int64_t least = -1;
    for (int64_t i = 0; i < w->rows; i++) {
        if (w->next[i] == w->end[i]) continue;
        const int64_t c = w->A->col_idx[w->next[i]];
        if (least < 0 || c < least) least = c;
    }
    return least < 0 ? -1 : least / w->block;
}

/* Returns whether row i of the group has one more entry in group c of the columns. */
static bool has_more(const group_walk *w, int64_t i, int64_t c)
{
    return w->next[i] < w->end[i] && w->A->col_idx[w->next[i]] < (c + 1) * w->block;
}

static int64_t count_group(const spmv_csr *A, int64_t block, int64_t g)
{
    group_walk w = walk_group(A, block, g);
    int64_t n = 0;
    for (int64_t c = next_block(&w); c >= 0; c = next_block(&w), n++)
        for (int64_t i = 0; i < w.rows; i++)
            while (has_more(&w, i, c)) w.next[i]++;
    return n;
}

/* Blocks in every stride-th group of rows. */
static int64_t count_blocks(const spmv_csr *A, int64_t block, int64_t stride)
{
    const int64_t rows = spmv__bsr_groups(A->rows, block);
    int64_t n = 0;
#pragma omp parallel for schedule(static) reduction(+ : n) num_threads(spmv__threads(0)) \
    if (A->nnz / stride > SPMV__PARALLEL_NNZ)
    for (int64_t g = 0; g < rows; g += stride) n += count_group(A, block, g);
    return n;
}

/* The block that takes the fewest bytes in a sample of the rows, the smallest of several.  Patterns
 * and skewed matrices would take blocks that are nearly empty: those are left out. */
static int64_t choose_block(const spmv_csr *A, double max_fill)
{
    const int64_t stride = 1 + A->nnz / SAMPLE, size = (int64_t)spmv_type_size(A->type);
    int64_t best = 2;
    double fewest = INFINITY;
    for (int64_t b = 2; b <= SPMV_BSR_BLOCK; b++) {
        const spmv_bsr B = {.block = b};
        const int64_t bytes =
            (1 + spmv__bsr_mask_words(&B)) * (int64_t)sizeof(int32_t) + b * b * size;
        const double count = (double)count_blocks(A, b, stride) * (double)stride;
        const double all =
            count * (double)bytes + (double)spmv__bsr_groups(A->rows, b) * sizeof(int64_t);
        if (all >= fewest || count * (double)(b * b) > max_fill * (double)A->nnz) continue;
        fewest = all;
        best = b;
    }
    return best;
}

static spmv_status plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_convert_options *build, spmv_error *err)
{
    (void)err;
    *out = spmv__blank(SPMV_BSR, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    const int64_t wanted = build != NULL ? build->bsr_block : 0;
    out->bsr.block = wanted > 0 ? wanted : choose_block(A, spmv__fill_limit(build) / 2);
    out->bsr.blocks = count_blocks(A, out->bsr.block, 1);
    *filled = (double)out->bsr.blocks * (double)(out->bsr.block * out->bsr.block);
    return SPMV_SUCCESS;
}

typedef struct bsr_filling {
    const spmv_csr *from;
    spmv_bsr *to;
} bsr_filling;

/* Fills the blocks of group g of the rows; returns its entries. */
static int64_t fill_group(const spmv_bsr *out, const spmv_csr *A, int64_t g)
{
    group_walk w = walk_group(A, out->block, g);
    int64_t n = 0, k = out->row_ptr[g];
    for (int64_t c = next_block(&w); c >= 0; c = next_block(&w), k++) {
        out->col_idx[k] = (int32_t)c;
        for (int64_t i = 0; i < w.rows; i++) {
            for (; has_more(&w, i, c); w.next[i]++, n++) {
                const int64_t j = A->col_idx[w.next[i]] - c * out->block;
                const int64_t place = j * out->block + i;
                set_entry(out, k, place);
                spmv__copy_value(A->type, out->val, k * out->block * out->block + place, A->val,
                                 w.next[i]);
            }
        }
    }
    return n;
}

static int64_t fill_groups(void *job, int64_t begin, int64_t end)
{
    const bsr_filling *f = job;
    int64_t n = 0;
    for (int64_t g = begin; g < end; g++) n += fill_group(f->to, f->from, g);
    return n;
}

static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    spmv_matrix B;
    bsr_filling job = {A, &B.bsr};
    double filled;
    char what[64];

    SPMV__TRY(plan(&B, &filled, A, build, err));
    snprintf(what, sizeof what, "BSR of blocks of %lld", (long long)B.bsr.block);
    SPMV__TRY(spmv__check_fill(A->nnz, filled, what, build, err));
    SPMV__TRY(spmv__allocate(&B, err));
    const int64_t rows = spmv__bsr_groups(A->rows, B.bsr.block);
#pragma omp parallel for schedule(static) \
    num_threads(spmv__threads(0)) if (A->nnz > SPMV__PARALLEL_NNZ)
    for (int64_t g = 0; g < rows; g++) B.bsr.row_ptr[g + 1] = count_group(A, B.bsr.block, g);
    spmv__counts_to_offsets(B.bsr.row_ptr, rows);
    spmv__in_portions(fill_groups, &job, rows, A->nnz, spmv__threads_for(A->nnz), meter);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    *out = B;
    return st;
}

static void clear_padding(spmv_matrix *M)
{
    const spmv_bsr *A = &M->bsr;
    const int64_t places = A->block * A->block;
    for (int64_t p = 0; p < A->blocks * places; p++)
        if (!spmv__bsr_is_entry(A, p / places, p % places)) spmv__set_value(A->type, A->val, p, 0);
}

/* ---- Looking inside ------------------------------------------------------------------------- */

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    const spmv_bsr *A = &M->bsr;
    for (int64_t r = 0; r < A->rows; r++) {
        const int64_t g = r / A->block, places = A->block * A->block;
        for (int64_t k = A->row_ptr[g]; k < A->row_ptr[g + 1]; k++)
            for (int64_t i = r % A->block; i < places; i += A->block)
                if (spmv__bsr_is_entry(A, k, i))
                    visit(user, r, A->col_idx[k] * A->block + i / A->block,
                          spmv__value_at(A->type, A->val, k * places + i));
    }
}

/* O(log of the blocks of the row) */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_bsr *A = &M->bsr;
    const int64_t g = row / A->block, place = col % A->block * A->block + row % A->block;
    const int64_t k = spmv__find_i32(A->col_idx, A->row_ptr[g], A->row_ptr[g + 1], col / A->block);
    if (k < 0 || !spmv__bsr_is_entry(A, k, place)) return spmv__number(0, 0);
    return spmv__scalar(A->type, A->val, k * A->block * A->block + place);
}

const spmv__format spmv__bsr_format = {
    .name = "bsr",
    .max_rows = INT64_MAX,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 4,
    .params = params,
    .param_count = 2,
    .check = check,
    .from_csr = from_csr,
    .plan = plan,
    .walks = 1,
    .clear_padding = clear_padding,
    .each = each,
    .get = get,
    .multiply = spmv__bsr_multiply,
    .kernel = "cpu-bsr",
    .kernel_summary = "dense blocks, one column of a block after the other",
};
