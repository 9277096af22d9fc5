/* run_gpus.c -- one multiplication by all GPUs, each of which has some rows. */
#include "cli/json/rank_costs.h"
#include "cli/run/joint_product.h"
#include "cli/text/number_text.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/ranks.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <string.h>

void run_check_gpus_usage(const run_options *o)
{
    if (!common_wants_all(&o->common)) return;
    if (tool_rank_count() > 1)
        tool_misuse("--device all is for a run of one process, not of %d", tool_rank_count());
    if (tool_partition(o->partition) == SPMV_PARTITION_NONZEROS)
        tool_misuse("--partition nonzeros is for several processes; GPUs have whole rows");
    if (tool_partition(o->partition) == SPMV_PARTITION_GIVEN)
        tool_misuse(
            "--partition metis and FILE are for several processes; GPUs have neighbouring rows");
    if (o->vectors > 1) tool_misuse("--device all multiplies with one vector");
    if (strcmp(o->kernel, "tune") == 0)
        tool_misuse("-k tune is for one device; --device all takes a kernel, auto or auto-rule");
}

/* ---- Set-up --------------------------------------------------------------------------------- */

static spmv_status open_all(run_job *job, spmv_gpus **gpus, spmv_error *err)
{
    const double start = spmv_now();
    spmv_status st;
    tool_phase_begin("upload", "matrix");
    TOOL_TRY(step_format(&job->A, SPMV_CSR, NULL, err));
    TOOL_TRY(spmv_gpus_create(gpus, NULL, job->gpus, &job->A.csr,
                              tool_partition(job->options->partition), &job->config, err));
    if (spmv_gpus_kernel(*gpus) != NULL) job->kernel = spmv_kernel_find(spmv_gpus_kernel(*gpus));
done:
    tool_phase_end((int64_t)spmv_memory_bytes(&job->A));
    job->setup += spmv_now() - start;
    return st;
}

/* ---- Samples -------------------------------------------------------------------------------- */

static spmv_status measure(joint_run *product, spmv_error *err)
{
    run_job *job = product->job;
    spmv_dense *last = job->options->verify ? &job->last.after : NULL;
    spmv_status st = SPMV_SUCCESS;
    if (last != NULL) TOOL_TRY(spmv_dense_reorder(last, &job->y0, false, err));
    tool_phase_begin("measure", job->kernel->name);
    st = joint_measure(product, last, err);
    tool_phase_end(0);
done:
    return st;
}

/* ---- What it costs -------------------------------------------------------------------------- */

/* Balance and communication, where they are wanted. */
static spmv_status tell_shares(const joint_run *product, spmv_error *err)
{
    const run_job *job = product->job;
    const run_options *o = job->options;
    double sum = 0, most = 0, received = 0, inner = 0, nnz = 0, seconds = 0;
    char bytes[TOOL_NUMBER], time[TOOL_NUMBER];
    if (o->repeat <= 1 && !o->common.verbose) return SPMV_SUCCESS;
    const spmv_status st = joint_time_exchange(product, &seconds, err);
    if (st != SPMV_SUCCESS) return st;
    for (int k = 0; k < job->gpus; k++) {
        const spmv_gpu_share share = spmv_gpus_share(product->gpus, k);
        const double cost = rank_load((double)share.rows, (double)share.nnz);
        sum += cost;
        most = cost > most ? cost : most;
        received += (double)share.received * (double)spmv_type_size(job->precision);
        inner += (double)share.inner;
        nnz += (double)share.nnz;
    }
    tool_note(
        "the largest part is %.3g times the mean; %s are exchanged, which takes %s by itself, "
        "while %.3g %% of the nonzeros are multiplied",
        sum > 0 ? most * job->gpus / sum : 1, tool_bytes_text(received, bytes),
        tool_time_text(seconds, time), nnz > 0 ? inner / nnz * 100 : 100);
    return SPMV_SUCCESS;
}

spmv_status run_on_gpus(run_job *job, spmv_error *err)
{
    joint_run product = {.job = job};
    spmv_status st;
    TOOL_TRY(spmv_comm_alone(&product.comm, err));
    TOOL_TRY(open_all(job, &product.gpus, err));
    TOOL_TRY(spmv_dense_reorder(&job->y, &job->y0, false, err));
    TOOL_TRY(joint_multiply(&product, &job->x, &job->y, err));
    if (job->options->repeat > 0) TOOL_TRY(measure(&product, err));
    if (job->options->repeat > 0) st = tell_shares(&product, err);
done:
    spmv_gpus_destroy(product.gpus);
    spmv_comm_close(product.comm);
    return st;
}
