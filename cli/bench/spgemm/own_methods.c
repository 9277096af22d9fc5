/* own_methods.c -- see own_methods.h. */
#include "cli/bench/spgemm/own_methods.h"
#include "cli/tool/fail.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_THREADS, SERIAL }; /* variants */

typedef struct own_product {
    spmv_context *ctx;
    spmv_spgemm_operands in;
    spmv_spgemm_options how;
    spmv_matrix C;        /* on the host */
    spmv_gpu_matrix *gpu; /* on the GPU; NULL: none */
    spmv_context **all;   /* [gpus] of a joint product; else NULL */
    int gpus;
} own_product;

static spmv_status open_product(void **out, const spmv_spgemm_method *method, spmv_context *ctx,
                                const spmv_spgemm_operands *in, spmv_error *err)
{
    own_product *p = calloc(1, sizeof *p);
    *out = p;
    if (p == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate a product");
    *p = (own_product){.ctx = ctx,
                       .in = *in,
                       .how = {.serial = method->variant == SERIAL, .threads = in->threads}};
    return SPMV_SUCCESS;
}

static void drop(void *data)
{
    own_product *p = data;
    spmv_destroy(&p->C);
    spmv_gpu_matrix_destroy(p->gpu);
    p->gpu = NULL;
}

static void close_product(void *data)
{
    own_product *p = data;
    drop(p);
    for (int k = 0; k < p->gpus; k++) spmv_context_destroy(p->all[k]);
    free(p->all);
    free(p);
}

static spmv_status multiply(void *data, spmv_error *err)
{
    own_product *p = data;
    return spmv_spgemm(&p->C, p->in.A, p->in.B, &p->how, NULL, err);
}

/* C is the caller's now. */
static spmv_status fetch(void *data, spmv_matrix *C, spmv_error *err)
{
    own_product *p = data;
    (void)err;
    *C = p->C;
    p->C = (spmv_matrix){0};
    return SPMV_SUCCESS;
}

static spmv_status multiply_on_gpu(void *data, spmv_error *err)
{
    own_product *p = data;
    return spmv_spgemm_on_gpu(&p->gpu, p->ctx, p->in.A_on_gpu, p->in.B_on_gpu, NULL, NULL, err);
}

static spmv_status fetch_from_gpu(void *data, spmv_matrix *C, spmv_error *err)
{
    own_product *p = data;
    return spmv_from_gpu(C, p->ctx, p->gpu, err);
}

static spmv_status open_joint(void **out, const spmv_spgemm_method *method, spmv_context *ctx,
                              const spmv_spgemm_operands *in, spmv_error *err)
{
    own_product *p;
    spmv_status st;
    TOOL_TRY(open_product(out, method, ctx, in, err));
    p = *out;
    p->all = calloc((size_t)in->gpus, sizeof(spmv_context *));
    if (p->all == NULL)
        TOOL_TRY(tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot list %d GPUs", in->gpus));
    for (; p->gpus < in->gpus; p->gpus++)
        TOOL_TRY(spmv_context_create(&p->all[p->gpus], p->gpus, in->threads, err));
done:
    return st;
}

static spmv_status multiply_together(void *data, spmv_error *err)
{
    own_product *p = data;
    return spmv_spgemm_gpus(&p->C, p->in.A, p->in.B, &p->how, p->all, p->gpus, NULL, NULL, err);
}

const spmv_spgemm_method bench_own_methods[] = {
    {.name = "spgemm-gpu",
     .summary = "row by row, on the GPU",
     .gpu = true,
     .open = open_product,
     .multiply = multiply_on_gpu,
     .fetch = fetch_from_gpu,
     .drop = drop,
     .close = close_product},
    {.name = "spgemm-gpus",
     .summary = "the same on all GPUs, from the memory of the host and back",
     .gpu = true,
     .joint = true,
     .open = open_joint,
     .multiply = multiply_together,
     .fetch = fetch,
     .drop = drop,
     .close = close_product},
    {.name = "spgemm-cpu",
     .summary = "row by row, with all threads",
     .variant = ALL_THREADS,
     .open = open_product,
     .multiply = multiply,
     .fetch = fetch,
     .drop = drop,
     .close = close_product},
    {.name = "spgemm-serial",
     .summary = "in the plainest way, with one thread",
     .variant = SERIAL,
     .open = open_product,
     .multiply = multiply,
     .fetch = fetch,
     .drop = drop,
     .close = close_product},
    {0},
};

const spmv_spgemm_method *bench_own_method(const char *name)
{
    for (const spmv_spgemm_method *m = bench_own_methods; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0) return m;
    return NULL;
}

bool bench_method_is_slow(const spmv_spgemm_method *method)
{
    return !method->gpu && method->variant == SERIAL;
}
