/* gpus.c -- several GPUs that multiply together: opened, given their vectors, closed. */
#include "core/matrix/format.h"
#include "core/matrix/vectors.h"
#include "core/base/base.h"
#include "cuda/gpus/carry.h"
#include "cuda/gpu/kernel.h"
#include "cuda/gpu/rank_memory.h"

#include <stdlib.h>

/* ---- Opening -------------------------------------------------------------------------------- */

static spmv_status check_call(const spmv_csr *A, const spmv_kernel_options *options,
                              spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(options->kernel);
    const spmv_matrix whole = spmv__wrap_csr(A);
    spmv_status st;
    SPMV__TRY(spmv__check_arrays(&whole, err));
    SPMV__TRY(spmv__check_whole(A->symmetry, err));
    if (kernel == NULL || !kernel->gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "'%s' is no kernel of GPUs",
                          options->kernel != NULL ? options->kernel : "");
    if (options->vector_type == SPMV_PATTERN ||
        !spmv_type_multiplies(A->type, options->vector_type))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "a matrix of %s multiplies no %s",
                          spmv_type_name(A->type), spmv_type_name(options->vector_type));
done:
    return st;
}

spmv_status spmv__partner_open(spmv__partner *m, int device, spmv_error *err)
{
    const spmv_status st = spmv_context_create(&m->ctx, device, 0, err);
    if (st != SPMV_SUCCESS || m->ctx->gpu != NULL) return st;
    return spmv__fail(err, SPMV_ERROR_NO_DEVICE, "there is no GPU %d", device);
}

spmv_status spmv__gpus_begin(spmv_gpus **out, int count, int peers, const spmv_csr *A,
                             const spmv_kernel_options *options, spmv_error *err)
{
    spmv_gpus *g = NULL;
    spmv_status st;
    SPMV__TRY(check_call(A, options, err));
    SPMV__TRY(spmv__alloc(&g, 1, sizeof *g, "several GPUs", err));
    g->peers = peers;
    g->type = options->vector_type;
    SPMV__TRY(spmv__alloc(&g->partner, count, sizeof *g->partner, "several GPUs", err));
    g->count = count;
    SPMV__TRY(spmv__alloc(&g->row_begin, count + 1, sizeof(int64_t), "several GPUs", err));
    SPMV__TRY(spmv__alloc(&g->col_begin, count + 1, sizeof(int64_t), "several GPUs", err));
    *out = g;
    g = NULL;
done:
    spmv_gpus_destroy(g);
    return st;
}

static int number_of(const int *device, int k)
{
    return device != NULL ? device[k] : k;
}

/* All reach the memory of all, where that can be. */
static spmv_status open_partners(spmv_gpus *g, const int *device, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int k = 0; k < g->count; k++)
        SPMV__TRY(spmv__partner_open(&g->partner[k], number_of(device, k), err));
    for (int k = 0; k < g->count; k++) {
        SPMV__TRY(spmv__partner_select(&g->partner[k], err));
        for (int i = 0; i < g->count; i++)
            SPMV__TRY(spmv__gpu_reach(number_of(device, i), &g->apart, err));
    }
done:
    return st;
}

spmv_status spmv_gpus_create(spmv_gpus **out, const int *device, int count, const spmv_csr *A,
                             spmv_partition by, const spmv_kernel_options *options, spmv_error *err)
{
    spmv_gpus *g = NULL;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(count > 0 && A != NULL && options != NULL, err);
    SPMV__REQUIRE(by <= SPMV_PARTITION_ROWS, err);
    SPMV__TRY(spmv__gpus_begin(&g, count, count, A, options, err));
    SPMV__TRY(open_partners(g, device, err));
    SPMV__TRY(spmv__gpus_cut(g, A, by, options, err));
    *out = g;
    g = NULL;
done:
    spmv_gpus_destroy(g);
    return st;
}

/* Nothing of others that is under way may find its memory gone. */
static void wait_for_partners(const spmv_gpus *g)
{
    for (int k = 0; k < g->count; k++) {
        const spmv__partner *m = &g->partner[k];
        if (m->ctx != NULL && m->ctx->gpu != NULL) (void)spmv__gpu_synchronize(m->ctx->gpu, NULL);
    }
}

static void destroy_partner(spmv__partner *m)
{
    if (m->ctx != NULL && m->ctx->gpu != NULL) (void)spmv__partner_select(m, NULL);
    for (int i = 0; i < SPMV__STRIPS; i++) spmv_operator_destroy(m->strip[i].op);
    spmv__carried_destroy(m);
    spmv__gpu_free(m->open);
    spmv__gpu_free(m->y);
    spmv__gpu_free(m->lists);
    spmv_context_destroy(m->ctx);
}

void spmv_gpus_destroy(spmv_gpus *g)
{
    if (g == NULL) return;
    if (g->partner != NULL) {
        wait_for_partners(g);
        if (g->there != NULL) spmv__rank_memory_close(g->there, g->comm);
        spmv__relay_destroy(g->relay);
        for (int k = 0; k < g->count; k++) destroy_partner(&g->partner[k]);
    }
    spmv__halo_destroy(&g->halo);
    free(g->partner);
    free(g->row_begin);
    free(g->col_begin);
    free(g);
}

/* ---- Vectors -------------------------------------------------------------------------------- */

/* The vector has to be one of n elements, as all have them. */
static spmv_status check_vector(const spmv_gpus *g, const spmv_dense *v, int64_t n, spmv_error *err)
{
    if (v->rows != n || v->cols != 1)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "a vector of %lld x %lld, not of %lld elements", (long long)v->rows,
                          (long long)v->cols, (long long)n);
    if (!spmv__is_packed(v))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a vector of every %lldth number, not of all", (long long)v->ld);
    if (v->type != g->type || v->on_gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "a vector of %s on the %s, not of %s",
                          spmv_type_name(v->type), v->on_gpu ? "GPU" : "host",
                          spmv_type_name(g->type));
    return SPMV_SUCCESS;
}

static void *element(const spmv_gpus *g, void *data, int64_t i)
{
    return (char *)data + i * (int64_t)spmv_type_size(g->type);
}

/* Copy n elements of a vector, from number `first` on, to a partner. */
static spmv_status upload(const spmv_gpus *g, const spmv__partner *m, void *to, const spmv_dense *v,
                          int64_t first, int64_t n, spmv_error *err)
{
    const spmv_status st = spmv__partner_select(m, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__gpu_upload(m->ctx->gpu, to, element(g, v->data, first),
                            n * (int64_t)spmv_type_size(g->type), err);
}

spmv_status spmv_gpus_set_x(spmv_gpus *g, const spmv_dense *x, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(g != NULL && x != NULL, err);
    SPMV__TRY(check_vector(g, x, g->col_begin[g->count], err));
    for (int k = 0; k < g->count; k++) {
        const spmv__partner *m = &g->partner[k];
        SPMV__TRY(upload(g, m, element(g, m->x, m->own), x, g->col_begin[k], m->owns, err));
    }
done:
    return st;
}

spmv_status spmv_gpus_set_y(spmv_gpus *g, const spmv_dense *y, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(g != NULL && y != NULL, err);
    SPMV__TRY(check_vector(g, y, g->row_begin[g->count], err));
    for (int k = 0; k < g->count; k++) {
        const spmv__partner *m = &g->partner[k];
        SPMV__TRY(upload(g, m, m->y, y, g->row_begin[k], m->share.rows, err));
    }
done:
    return st;
}

spmv_status spmv_gpus_get_y(spmv_gpus *g, spmv_dense *y, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(g != NULL && y != NULL, err);
    SPMV__TRY(check_vector(g, y, g->row_begin[g->count], err));
    for (int k = 0; k < g->count; k++) {
        const spmv__partner *m = &g->partner[k];
        SPMV__TRY(spmv__partner_select(m, err));
        SPMV__TRY(spmv__gpu_download(m->ctx->gpu, element(g, y->data, g->row_begin[k]), m->y,
                                     m->share.rows * (int64_t)spmv_type_size(g->type), err));
    }
done:
    return st;
}

/* ---- Answers -------------------------------------------------------------------------------- */

/* That of the strip with the most rows. */
const char *spmv_gpus_kernel(const spmv_gpus *g)
{
    const spmv__strip *most = NULL;
    for (int i = 0; i < g->count * SPMV__STRIPS; i++) {
        const spmv__strip *s = &g->partner[i / SPMV__STRIPS].strip[i % SPMV__STRIPS];
        if (s->op != NULL && (most == NULL || s->rows > most->rows)) most = s;
    }
    return most != NULL ? spmv_operator_kernel(most->op, g->type) : NULL;
}

spmv_route spmv_gpus_route(const spmv_gpus *g)
{
    if (g->relay != NULL) return g->relay->way->route;
    return g->apart ? SPMV_ROUTE_HOST : SPMV_ROUTE_IPC;
}

int spmv_gpus_count(const spmv_gpus *g)
{
    return g->count;
}

spmv_gpu_share spmv_gpus_share(const spmv_gpus *g, int i)
{
    return g->partner[i].share;
}
