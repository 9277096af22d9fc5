/* gpus_cut.c -- the rows of a matrix to several GPUs, and who gives whom which elements of x. */
#include "core/parts/column_numbers.h"
#include "core/parts/partition.h"
#include "cuda/gpus/gpus.h"

#include <stdlib.h>

/* A part is cut into strips where the middle one has this share of its nonzeros, or else it is
 * multiplied as a whole: a strip is a launch more. */
static const double worth_while = 0.5;

/* What is worked out on the way. */
typedef struct cutting {
    spmv_gpus *gpus;
    const spmv_csr *A;
    const spmv_kernel_config *config;
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
        SPMV__TRY(spmv__columns_create(&c->columns[k], A->cols, err));
#pragma omp parallel for schedule(static, 1) num_threads(spmv__threads(0))
    for (int k = 0; k < g->count; k++) {
        const int64_t begin = A->row_ptr[g->row_begin[k]], end = A->row_ptr[g->row_begin[k + 1]];
        if (end > begin) spmv__columns_mark(&c->columns[k], A->col_idx + begin, end - begin);
        spmv__columns_mark_range(&c->columns[k], g->col_begin[k], g->col_begin[k + 1]);
        spmv__columns_count(&c->columns[k]);
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
        m->share.received += count_between(c, k, j);
        m->share.sent += count_between(c, j, k);
    }
    g->swaps = g->swaps || m->share.received > 0;
}

/* ---- Memory that others write --------------------------------------------------------------- */

static int64_t round_up(int64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static spmv_status open_memory(const spmv_gpus *g, spmv__partner *m, spmv_error *err)
{
    const int64_t size = (int64_t)spmv_type_size(g->type), bytes = round_up(m->cols * size);
    spmv_status st;
    SPMV__TRY(spmv__partner_select(m, err));
    SPMV__TRY(spmv__gpu_alloc_open(&m->open, bytes + 2 * g->count * (int64_t)sizeof(uint32_t),
                                   "elements of x", err));
    m->x = m->open;
    m->words = (uint32_t *)((char *)m->open + bytes);
    SPMV__TRY(spmv__gpu_alloc(&m->y, m->share.rows * size, "elements of y", err));
done:
    return st;
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
            given += spmv__columns_list(&c->columns[j], g->col_begin[k], g->col_begin[k + 1],
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

/* Put the lists of partner k where its kernels read them. */
static spmv_status upload_lists(const cutting *c, int k, spmv_error *err)
{
    const spmv_gpus *g = c->gpus;
    spmv__partner *m = &g->partner[k];
    const int64_t peers = g->count * (int64_t)sizeof(spmv__swap_peer), state = round_up(peers),
                  give = state + round_up(sizeof(spmv__swap_state)),
                  bytes = give + m->share.sent * (int64_t)sizeof(int32_t);
    char *host = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&host, bytes, 1, "lists of elements of x", err));
    fill_peers(c, k, (spmv__swap_peer *)host, (int32_t *)(host + give));
    SPMV__TRY(spmv__partner_select(m, err));
    SPMV__TRY(spmv__gpu_alloc(&m->lists, bytes, "lists of elements of x", err));
    SPMV__TRY(spmv__gpu_upload(m->ctx->gpu, m->lists, host, bytes, err));
    m->swap = (spmv__swap){
        .own = (char *)m->x + m->own * (int64_t)spmv_type_size(g->type),
        .size = (int64_t)spmv_type_size(g->type),
        .gives = m->share.sent,
        .give = (int32_t *)((char *)m->lists + give),
        .peers = g->count,
        .peer = m->lists,
        .state = (spmv__swap_state *)((char *)m->lists + state),
    };
done:
    free(host);
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

/* Whether row r of a part reads elements of others; ptr [rows + 1] says where its entries are. */
static bool waits(const spmv__partner *m, const int64_t *ptr, const int32_t *col_idx, int64_t r)
{
    const int64_t begin = ptr[r] - ptr[0], end = ptr[r + 1] - ptr[0];
    return begin < end && (col_idx[begin] < m->own || col_idx[end - 1] >= m->own + m->owns);
}

/* Find the longest run of rows that wait for nobody, and make strips of it and what is left. */
static void cut_strips(spmv__partner *m, const int64_t *ptr, const int32_t *col_idx)
{
    const int64_t rows = m->share.rows;
    int64_t first = 0, end = 0;
    for (int64_t r = 0, begin = 0; r <= rows; r++) {
        if (r < rows && !waits(m, ptr, col_idx, r)) continue;
        if (ptr[r] - ptr[begin] > ptr[end] - ptr[first]) {
            first = begin;
            end = r;
        }
        begin = r + 1;
    }
    m->share.inner = ptr[end] - ptr[first];
    if (m->share.received == 0) {
        first = 0;
        end = rows;
    } else if ((double)m->share.inner < worth_while * (double)m->share.nnz) {
        first = end = rows;
        m->share.inner = 0;
    }
    m->strip[SPMV__BEFORE] = (spmv__strip){.first = 0, .rows = first};
    m->strip[SPMV__INNER] = (spmv__strip){.first = first, .rows = end - first};
    m->strip[SPMV__BEHIND] = (spmv__strip){.first = end, .rows = rows - end};
}

static spmv_status make_operator(const cutting *c, spmv__strip *strip, spmv_context *ctx,
                                 const spmv_matrix *rows, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(c->config->kernel);
    spmv_matrix other = {0};
    spmv_status st = SPMV_SUCCESS;
    if (kernel->format != SPMV_CSR)
        SPMV__TRY(spmv_convert(&other, rows, kernel->format, NULL, err));
    SPMV__TRY(spmv_operator_create(&strip->op, ctx, kernel->format == SPMV_CSR ? rows : &other,
                                   c->config, err));
done:
    spmv_destroy(&other);
    return st;
}

/* ptr and col_idx are those of the part. */
static spmv_status prepare_strip(const cutting *c, spmv__partner *m, int which, const int64_t *ptr,
                                 const int32_t *col_idx, spmv_error *err)
{
    spmv__strip *strip = &m->strip[which];
    spmv_matrix view = {.format = SPMV_CSR};
    const int64_t first = ptr[strip->first];
    const size_t size = spmv_type_size(c->A->type);
    spmv_status st;
    if (strip->rows == 0) return SPMV_SUCCESS;
    view.csr = (spmv_csr){
        .type = c->A->type,
        .rows = strip->rows,
        .cols = m->cols,
        .nnz = ptr[strip->first + strip->rows] - first,
        .storage = SPMV_BORROWED,
        .col_idx = (int32_t *)col_idx + (first - ptr[0]),
        .val = c->A->val != NULL ? (char *)c->A->val + (size_t)first * size : NULL,
    };
    SPMV__TRY(spmv__alloc_unset(&view.csr.row_ptr, strip->rows + 1, sizeof(int64_t),
                                "the rows of a strip", err));
    for (int64_t r = 0; r <= strip->rows; r++) view.csr.row_ptr[r] = ptr[strip->first + r] - first;
    SPMV__TRY(make_operator(c, strip, m->ctx, &view, err));
done:
    free(view.csr.row_ptr);
    return st;
}

static spmv_status prepare_operators(const cutting *c, int k, spmv_error *err)
{
    spmv__partner *m = &c->gpus->partner[k];
    const int64_t *ptr = c->A->row_ptr + c->gpus->row_begin[k];
    int32_t *col_idx = NULL;
    spmv_status st;
    SPMV__TRY(
        spmv__alloc_unset(&col_idx, m->share.nnz, sizeof *col_idx, "the columns of a part", err));
    renumber(c, k, col_idx);
    cut_strips(m, ptr, col_idx);
    for (int i = 0; i < SPMV__STRIPS; i++) SPMV__TRY(prepare_strip(c, m, i, ptr, col_idx, err));
done:
    free(col_idx);
    return st;
}

spmv_status spmv__gpus_cut(spmv_gpus *gpus, const spmv_csr *A, spmv_partition by,
                           const spmv_kernel_config *config, spmv_error *err)
{
    cutting c = {.gpus = gpus, .A = A, .config = config};
    spmv_status st;
    spmv__part_cut(gpus->row_begin, gpus->col_begin, gpus->count, A->rows, A->cols, A->row_ptr, by);
    SPMV__TRY(number_columns(&c, err));
    for (int k = 0; k < gpus->count; k++) describe(&c, k);
    for (int k = 0; k < gpus->count; k++) SPMV__TRY(open_memory(gpus, &gpus->partner[k], err));
    for (int k = 0; k < gpus->count; k++) {
        SPMV__TRY(upload_lists(&c, k, err));
        SPMV__TRY(prepare_operators(&c, k, err));
    }
done:
    for (int k = 0; c.columns != NULL && k < gpus->count; k++) spmv__columns_destroy(&c.columns[k]);
    free(c.columns);
    return st;
}
