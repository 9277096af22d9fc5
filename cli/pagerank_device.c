/* pagerank_device.c -- on which device the nodes are ranked.
 *
 * What a GPU cannot do goes to the CPU, with a warning if the GPU was asked for by name. */
#include "pagerank.h"

#include <string.h>

/* Smaller graphs are ranked on a CPU before a GPU has started. */
enum { GPU_EDGES = 1 << 22 };

/* Leave the GPU where it would not do. */
static void choose(pagerank_job *job, const spmv_pagerank_config *config)
{
    const bool any = strcmp(common.device, "auto") == 0;
    if (job->device == SPMV_DEVICE_CPU) return;
    if (config->extrapolate && !any) tool_warn("extrapolation runs on the CPU only");
    if (config->extrapolate || (any && job->A.head.nnz < GPU_EDGES)) job->device = SPMV_DEVICE_CPU;
}

static spmv_status rank_on_gpu(pagerank_job *job, const spmv_pagerank_config *config,
                               spmv_error *err)
{
    spmv_context *ctx = NULL;
    spmv_status st;
    TOOL_TRY(spmv_context_create(&ctx, job->device, config->threads, err));
    TOOL_TRY(spmv_pagerank_gpu(&job->result, &job->A, config, ctx, err));
done:
    spmv_context_destroy(ctx);
    return st;
}

spmv_status pagerank_rank(pagerank_job *job, const spmv_pagerank_config *config, spmv_error *err)
{
    choose(job, config);
    if (job->device != SPMV_DEVICE_CPU) {
        const spmv_status st = rank_on_gpu(job, config, err);
        if (st != SPMV_ERROR_OUT_OF_MEMORY && st != SPMV_ERROR_CUDA_MALLOC) return st;
        tool_warn("%s; ranking on the CPU", err->message);
        job->device = SPMV_DEVICE_CPU;
    }
    return spmv_pagerank(&job->result, &job->A, config, err);
}
