/* gpus_cut.c -- the rows of a matrix to several GPUs, and who gives whom which elements of x. */
#include "core/parts/column_numbers.h"
#include "core/parts/partition.h"
#include "cuda/gpus/carry.h"

#include <stdlib.h>

/* What is worked out on the way. */
typedef struct cutting {
    spmv_gpus *gpus;
    const spmv_csr *A;
    const spmv_kernel_options *options;
    spmv__column_numbers *columns; /* [count] the columns that each one needs or has */
} cutting;

/* The elements of x that lie with GPU k, from its first one on, as the x of GPU j has them. */
static int64_t place_of(const cutting *c, int j, int k)
{
    return spmv__column_number(&c->columns[j], c->gpus->col_begin[k]);
}

static int64_t count_between(const cutting *c, int to, int from)
{
    return to == from ? 0 : place_of(c, to, from + 1) - place_of(c, to, from);
}

/* ---- Who has what --------------------------------------------------------------------------- */

/* Number the columns of each part. */
static spmv_status number_columns(cutting *c, spmv_error *err)
{
    const spmv_gpus *g = c->gpus;
    const spmv_csr *A = c->A;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&c->columns, g->count, sizeof *c->columns, "the columns of parts", err));
    for (int k = 0; k < g->count; k++)
        SPMV__TRY(spmv__column_numbers_create(&c->columns[k], A->cols, err));
#pragma omp parallel for schedule(static, 1) num_threads(spmv__threads(0))
    for (int k = 0; k < g->count; k++) {
        const int64_t begin = A->row_ptr[g->row_begin[k]], end = A->row_ptr[g->row_begin[k + 1]];
        if (end > begin) spmv__column_numbers_mark(&c->columns[k], A->col_idx + begin, end - begin);
        spmv__column_numbers_mark_range(&c->columns[k], g->col_begin[k], g->col_begin[k + 1]);
        spmv__column_numbers_count(&c->columns[k]);
    }
done:
    return st;
}

static void describe(const cutting *c, int k)
{
    spmv_gpus *g = c->gpus;
    spmv__partner *m = &g->partner[k];
    m->share.rows = g->row_begin[k + 1] - g->row_begin[k];
    m->share.nnz = c->A->row_ptr[g->row_begin[k + 1]] - c->A->row_ptr[g->row_begin[k]];
    m->owns = g->col_begin[k + 1] - g->col_begin[k];
    m->own = place_of(c, k, k);
    m->cols = spmv__column_number(&c->columns[k], c->A->cols);
    for (int j = 0; j < g->count; j++) {
        const int64_t received = count_between(c, k, j), sent = count_between(c, j, k);
        m->share.received += received;
        m->share.sent += sent;
        m->share.neighbours += received > 0;
        m->share.receivers += sent > 0;
    }
    g->swaps = g->swaps || m->share.received > 0;
}

/* ---- Who gives what ------------------------------------------------------------------------- */

/* What partner k has to do with the others, whose lists of its elements come one after the other.
 */
static void fill_peers(const cutting *c, int k, spmv__swap_peer *peer, int32_t *give)
{
    const spmv_gpus *g = c->gpus;
    const int n = g->count;
    const spmv__partner *m = &g->partner[k];
    int64_t given = 0;
    for (int j = 0; j < n; j++) {
        spmv__partner *other = &g->partner[j];
        const int64_t gives = count_between(c, j, k), takes = count_between(c, k, j);
        peer[j] = (spmv__swap_peer){.begin = given, .gives = gives};
        if (gives > 0) {
            given += spmv__column_numbers_list(&c->columns[j], g->col_begin[k], g->col_begin[k + 1],
                                               give + given);
            peer[j].to = (char *)other->x + place_of(c, j, k) * (int64_t)spmv_type_size(g->type);
            peer[j].tell_given = other->words + k;
            peer[j].taken = m->words + n + j;
        }
        if (takes > 0) {
            peer[j].given = m->words + j;
            peer[j].tell_taken = other->words + n + k;
        }
    }
}

static spmv_status prepare_lists(const cutting *c, int k, spmv_error *err)
{
    const spmv_gpus *g = c->gpus;
    spmv__partner *m = &g->partner[k];
    spmv__swap_peer *peer = NULL;
    int32_t *give = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&peer, g->peers, sizeof *peer, "lists of elements of x", err));
    SPMV__TRY(spmv__alloc(&give, m->share.sent, sizeof *give, "lists of elements of x", err));
    fill_peers(c, k, peer, give);
    SPMV__TRY(spmv__partner_set_lists(g, m, peer, give, m->share.sent, err));
    if (g->apart) {
        st = spmv__carried_create(m, peer, err);
        peer = NULL;
    }
done:
    free(peer);
    free(give);
    return st;
}

/* ---- Operators ------------------------------------------------------------------------------ */

/* The columns of a part, numbered anew. */
static void renumber(const cutting *c, int k, int32_t *col_idx)
{
    const int64_t begin = c->A->row_ptr[c->gpus->row_begin[k]], n = c->gpus->partner[k].share.nnz;
#pragma omp parallel for num_threads(spmv__threads(0)) if (n > SPMV__PARALLEL_NNZ)
    for (int64_t p = 0; p < n; p++)
        col_idx[p] = (int32_t)spmv__column_number(&c->columns[k], c->A->col_idx[begin + p]);
}

static spmv_status prepare_operators(const cutting *c, int k, spmv_error *err)
{
    spmv__partner *m = &c->gpus->partner[k];
    const spmv_csr *A = c->A;
    const int64_t *ptr = A->row_ptr + c->gpus->row_begin[k];
    spmv__partner_rows rows = {.type = A->type, .row_ptr = ptr};
    int32_t *col_idx = NULL;
    spmv_status st;
    SPMV__TRY(
        spmv__alloc_unset(&col_idx, m->share.nnz, sizeof *col_idx, "the columns of a part", err));
    renumber(c, k, col_idx);
    rows.col_idx = col_idx;
    if (A->val != NULL) rows.val = (char *)A->val + (size_t)ptr[0] * spmv_type_size(A->type);
    SPMV__TRY(spmv__partner_set_rows(m, &rows, c->options, err));
done:
    free(col_idx);
    return st;
}

spmv_status spmv__gpus_cut(spmv_gpus *gpus, const spmv_csr *A, spmv_partition by,
                           const spmv_kernel_options *options, spmv_error *err)
{
    cutting c = {.gpus = gpus, .A = A, .options = options};
    spmv_status st;
    spmv__part_cut(gpus->row_begin, gpus->col_begin, gpus->count, A->rows, A->cols, A->row_ptr, by);
    SPMV__TRY(number_columns(&c, err));
    for (int k = 0; k < gpus->count; k++) describe(&c, k);
    for (int k = 0; k < gpus->count; k++)
        SPMV__TRY(spmv__partner_open_memory(gpus, &gpus->partner[k], err));
    for (int k = 0; k < gpus->count; k++) {
        SPMV__TRY(prepare_lists(&c, k, err));
        SPMV__TRY(prepare_operators(&c, k, err));
    }
done:
    for (int k = 0; c.columns != NULL && k < gpus->count; k++)
        spmv__column_numbers_destroy(&c.columns[k]);
    free(c.columns);
    return st;
}
