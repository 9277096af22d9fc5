/* partner.c -- what one of several GPUs has, whoever the others are: memory, lists, and operators.
 */
#include "core/base/base.h"
#include "cuda/gpus/partners.h"

#include <stdlib.h>

/* A part is cut into strips where the middle one has this share of its nonzeros, or else it is
 * multiplied as a whole: a strip is a launch more. */
static const double worth_while = 0.5;

/* ---- Memory --------------------------------------------------------------------------------- */

int64_t spmv__partner_x_bytes(const spmv_gpus *gpus, const spmv__partner *m)
{
    return spmv__gpu_aligned(m->cols * (int64_t)spmv_type_size(gpus->type));
}

spmv_status spmv__partner_open_memory(const spmv_gpus *g, spmv__partner *m, spmv_error *err)
{
    const int64_t size = (int64_t)spmv_type_size(g->type), bytes = spmv__partner_x_bytes(g, m);
    spmv_status st;
    SPMV__TRY(spmv__partner_select(m, err));
    SPMV__TRY(spmv__gpu_alloc_open(m->ctx->gpu, &m->open,
                                   bytes + 2 * g->peers * (int64_t)sizeof(uint32_t),
                                   "elements of x", err));
    m->x = m->open;
    m->words = (uint32_t *)((char *)m->open + bytes);
    SPMV__TRY(spmv__gpu_alloc(&m->y, m->share.rows * size, "elements of y", err));
done:
    return st;
}

/* ---- Lists ---------------------------------------------------------------------------------- */

spmv_status spmv__partner_set_lists(const spmv_gpus *g, spmv__partner *m,
                                    const spmv__swap_peer *peer, const int32_t *give, int64_t gives,
                                    spmv_error *err)
{
    const int peers = peer != NULL ? g->peers : 0;
    const int64_t peer_bytes = peers * (int64_t)sizeof *peer, state = spmv__gpu_aligned(peer_bytes),
                  list = state + spmv__gpu_aligned(sizeof(spmv__swap_state)),
                  list_bytes = gives * (int64_t)sizeof *give;
    const spmv__swap_state start = {0};
    spmv_status st;
    SPMV__TRY(spmv__partner_select(m, err));
    SPMV__TRY(spmv__gpu_alloc(&m->lists, list + list_bytes, "lists of elements of x", err));
    m->swap = (spmv__swap){
        .own = (char *)m->x + m->own * (int64_t)spmv_type_size(g->type),
        .size = (int64_t)spmv_type_size(g->type),
        .gives = gives,
        .give = (int32_t *)((char *)m->lists + list),
        .peers = peers,
        .peer = m->lists,
        .state = (spmv__swap_state *)((char *)m->lists + state),
    };
    SPMV__TRY(spmv__gpu_upload(m->ctx->gpu, m->lists, peer, peer_bytes, err));
    SPMV__TRY(spmv__gpu_upload(m->ctx->gpu, m->swap.state, &start, sizeof start, err));
    SPMV__TRY(spmv__gpu_upload(m->ctx->gpu, m->swap.give, give, list_bytes, err));
done:
    return st;
}

/* ---- Operators ------------------------------------------------------------------------------ */

/* Whether row r of a part reads elements of others. */
static bool waits(const spmv__partner *m, const spmv__partner_rows *a, int64_t r)
{
    const int64_t begin = a->row_ptr[r] - a->row_ptr[0], end = a->row_ptr[r + 1] - a->row_ptr[0];
    return begin < end && (a->col_idx[begin] < m->own || a->col_idx[end - 1] >= m->own + m->owns);
}

/* Find the longest run of rows that wait for nobody, and make strips of it and what is left. */
static void cut_strips(spmv__partner *m, const spmv__partner_rows *a)
{
    const int64_t rows = m->share.rows, *ptr = a->row_ptr;
    int64_t first = 0, end = 0;
    for (int64_t r = 0, begin = 0; r <= rows; r++) {
        if (r < rows && !waits(m, a, r)) continue;
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

static spmv_status make_operator(spmv__strip *strip, spmv_context *ctx, const spmv_matrix *rows,
                                 const spmv_kernel_options *options, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(options->kernel);
    spmv_matrix other = {0};
    spmv_status st = SPMV_SUCCESS;
    if (kernel->format != SPMV_CSR)
        SPMV__TRY(spmv_convert(&other, rows, kernel->format, NULL, err));
    SPMV__TRY(spmv_operator_create(&strip->op, ctx, kernel->format == SPMV_CSR ? rows : &other,
                                   options, err));
done:
    spmv_destroy(&other);
    return st;
}

static spmv_status prepare_strip(spmv__partner *m, int which, const spmv__partner_rows *a,
                                 const spmv_kernel_options *options, spmv_error *err)
{
    spmv__strip *strip = &m->strip[which];
    spmv_matrix view = {.format = SPMV_CSR};
    const int64_t *ptr = a->row_ptr + strip->first, before = ptr[0] - a->row_ptr[0];
    spmv_status st;
    if (strip->rows == 0) return SPMV_SUCCESS;
    view.csr = (spmv_csr){
        .type = a->type,
        .rows = strip->rows,
        .cols = m->cols,
        .nnz = ptr[strip->rows] - ptr[0],
        .storage = SPMV_BORROWED,
        .col_idx = (int32_t *)a->col_idx + before,
        .val = a->val != NULL ? (char *)a->val + (size_t)before * spmv_type_size(a->type) : NULL,
    };
    SPMV__TRY(spmv__alloc_unset(&view.csr.row_ptr, strip->rows + 1, sizeof(int64_t),
                                "the rows of a strip", err));
    for (int64_t r = 0; r <= strip->rows; r++) view.csr.row_ptr[r] = ptr[r] - ptr[0];
    SPMV__TRY(make_operator(strip, m->ctx, &view, options, err));
done:
    free(view.csr.row_ptr);
    return st;
}

spmv_status spmv__partner_set_rows(spmv__partner *m, const spmv__partner_rows *rows,
                                   const spmv_kernel_options *options, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    cut_strips(m, rows);
    for (int i = 0; i < SPMV__STRIPS; i++) SPMV__TRY(prepare_strip(m, i, rows, options, err));
done:
    return st;
}
