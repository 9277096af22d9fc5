/* rank_device.c -- on which device the nodes are ranked, or by which processes.
 *
 * --device auto gives way to the CPU, for a graph that is small and for one that is too large for
 * the GPU's memory; a device that was named does not. */
#include "cli/pagerank/pagerank_job.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <stdlib.h>
#include <string.h>

/* Smaller graphs are ranked on a CPU before a GPU has started. */
enum { GPU_EDGES = 1 << 22 };

static spmv_status try_gpu(pagerank_job *job, const spmv_pagerank_options *config, spmv_error *err)
{
    spmv_context *ctx = NULL;
    spmv_status st;
    TOOL_TRY(spmv_context_create(&ctx, job->device, config->threads, err));
    TOOL_TRY(spmv_pagerank_gpu(&job->result, &job->A, config, ctx, err));
done:
    spmv_context_destroy(ctx);
    return st;
}

/* Rank on all GPUs of the machine. */
static spmv_status rank_on_all(pagerank_job *job, const spmv_pagerank_options *config,
                               spmv_error *err)
{
    spmv_context **ctx = calloc((size_t)job->gpus, sizeof(spmv_context *));
    spmv_status st = SPMV_SUCCESS;
    if (ctx == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot list %d GPUs", job->gpus);
    for (int k = 0; k < job->gpus; k++)
        TOOL_TRY(spmv_context_create(&ctx[k], k, config->threads, err));
    TOOL_TRY(spmv_pagerank_gpus(&job->result, &job->A, config, ctx, job->gpus, err));
done:
    for (int k = 0; k < job->gpus; k++) spmv_context_destroy(ctx[k]);
    free(ctx);
    return st;
}

/* ---- Several processes ----------------------------------------------------------------------- */

/* A small graph stays on the CPU, for all. */
static spmv_status choose_together(pagerank_job *job, spmv_error *err)
{
    const common_options *common = &job->options->common;
    const bool needed = strcmp(common->device, "gpu") == 0;
    spmv_status st = SPMV_SUCCESS;
    job->device = SPMV_DEVICE_CPU;
    if (needed || job->part.nnz >= GPU_EDGES)
        TOOL_TRY(common_rank_device(common, job->comm, needed, &job->device, &job->gpus, err));
    if (job->device == SPMV_DEVICE_CPU && option_given(common, &job->options->route))
        tool_warn("--comm has no effect on processes that rank on the CPU");
done:
    return st;
}

static spmv_status try_own_gpu(pagerank_job *job, const spmv_pagerank_options *config,
                               spmv_error *err)
{
    spmv_context *ctx = NULL;
    const spmv_status created = spmv_context_create(&ctx, job->device, 0, err);
    spmv_status st;
    TOOL_TRY(spmv_comm_agree(job->comm, created, err));
    TOOL_TRY(spmv_pagerank_gpu_part(&job->result, job->comm, &job->part, config, ctx,
                                    (spmv_route)job->options->route, err));
done:
    spmv_context_destroy(ctx);
    return st;
}

/* Ranking takes the rows of the part: keep a copy for the CPUs, which may have to do it. */
static spmv_status copy_rows(const pagerank_job *job, spmv_matrix *out, spmv_error *err)
{
    const spmv_matrix own = {.format = SPMV_CSR, .csr = job->part.own};
    return spmv_comm_agree(job->comm, spmv_convert(out, &own, SPMV_CSR, NULL, err), err);
}

static void put_rows_back(pagerank_job *job, spmv_matrix *rows)
{
    spmv_csr_destroy(&job->part.own);
    job->part.own = rows->csr;
    *rows = (spmv_matrix){.format = SPMV_CSR};
}

/* All ranks do this, and see the same failures; config is NULL but on rank 0. */
static spmv_status rank_with_others(pagerank_job *job, const spmv_pagerank_options *config,
                                    spmv_error *err)
{
    const bool automatic = common_is_automatic(&job->options->common);
    spmv_matrix rows = {.format = SPMV_CSR};
    spmv_status st;
    TOOL_TRY(choose_together(job, err));
    if (job->device != SPMV_DEVICE_CPU) {
        if (automatic) TOOL_TRY(copy_rows(job, &rows, err));
        st = try_own_gpu(job, config, err);
        if (!automatic || !tool_lacks_memory(st)) goto done;
        tool_warn("%s; the CPU ranks the nodes instead", err->message);
        put_rows_back(job, &rows);
        job->device = SPMV_DEVICE_CPU;
        job->gpus = 0;
    }
    st = spmv_pagerank_part(&job->result, job->comm, &job->part, config, err);
done:
    spmv_destroy(&rows);
    return st;
}

/* ---- Any number of them ---------------------------------------------------------------------- */

spmv_status pagerank_rank(pagerank_job *job, const spmv_pagerank_options *config, spmv_error *err)
{
    if (job->comm != NULL) return rank_with_others(job, config, err);
    if (job->gpus > 0) return rank_on_all(job, config, err);
    const common_options *common = &job->options->common;
    const bool automatic = common_is_automatic(common);
    spmv_status st;
    if (automatic && job->A.head.nnz >= GPU_EDGES)
        TOOL_TRY(common_device(common, &job->device, err));
    if (job->device != SPMV_DEVICE_CPU) {
        st = try_gpu(job, config, err);
        if (!automatic || !tool_lacks_memory(st)) return st;
        tool_warn("%s; the CPU ranks the nodes instead", err->message);
        job->device = SPMV_DEVICE_CPU;
    }
    st = spmv_pagerank(&job->result, &job->A, config, err);
done:
    return st;
}

spmv_status pagerank_follow(pagerank_job *job, spmv_error *err)
{
    return rank_with_others(job, NULL, err);
}
