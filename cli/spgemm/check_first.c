/* check_first.c -- what needs no matrix to be refused. */
#include "cli/spgemm/spgemm_job.h"
#include "cli/files/outputs.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/ranks.h"
#include "cli/tool/tool.h"

#include <string.h>

static bool is_number(const char *device)
{
    return device[0] >= '0' && device[0] <= '9';
}

enum { AUTO, ON_CPU, SERIAL, ON_GPU, ON_GPUS }; /* in the order of SPGEMM_KERNELS */
static const struct {
    const char *name, *device; /* NULL: any */
    bool serial;
} kernels[] = {[AUTO] = {"auto", NULL, false},
               [ON_CPU] = {"spgemm-cpu", "cpu", false},
               [SERIAL] = {"spgemm-serial", "cpu", true},
               [ON_GPU] = {"spgemm-gpu", "gpu", false},
               [ON_GPUS] = {"spgemm-gpus", "all", false}};

const char *job_kernel(const spgemm_job *job)
{
    const bool gpu = job->device != SPMV_DEVICE_CPU;
    return kernels[gpu && job->gpus > 0 && !job->in_pieces ? ON_GPUS
                   : gpu                                   ? ON_GPU
                   : job->options->serial                  ? SERIAL
                                                           : ON_CPU]
        .name;
}

void job_apply_kernel(spgemm_options *o)
{
    const char *name = kernels[o->kernel].name, *device = kernels[o->kernel].device;
    const char *named = o->common.device;
    if (device == NULL) return;
    if (strcmp(named, "auto") != 0 && strcmp(named, device) != 0 &&
        !(is_number(named) && strcmp(device, "gpu") == 0))
        tool_misuse("--kernel %s does not go with --device %.20s", name, named);
    if (o->serial && !kernels[o->kernel].serial)
        tool_misuse("--kernel %s does not go with --serial", name);
    if (strcmp(named, "auto") == 0) o->common.device = device;
    o->serial = kernels[o->kernel].serial;
}

/* Refuse what several ranks cannot do. */
static void check_ranks_usage(const spgemm_options *o)
{
    const struct {
        bool given;
        const char *name;
    } single[] = {{o->estimate, "--estimate"}, {o->common.json != NULL, "--json"}};
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (single[i].given)
            tool_misuse("%s is for a run of one process, not of %d", single[i].name,
                        tool_rank_count());
    common_check_rank_device(&o->common, "multiply");
}

/* Whatever is no device at all is refused as that. */
static bool names_gpus(const common_options *common)
{
    const char *device = common->device;
    return strcmp(device, "gpu") == 0 || common_wants_all(common) || is_number(device);
}

void job_check_usage(const spgemm_options *o, const operands *files, const char *out)
{
    const tool_output outputs[] = {{out, "C"}, {o->common.json, "--json"}};
    const bool repeats = option_given(&o->common, &o->repeat);
    const tool_output unused[] = {
        {o->common.output, "--output"}, {o->to, "--to"}, {repeats ? "" : NULL, "--repeat"}};
    int standard = o->mask != NULL && tool_is_stdio(o->mask);
    if (files->count < 1) tool_misuse("the matrix A is missing");
    if (files->count > 2) tool_misuse("two matrices are multiplied, not %d", files->count);
    for (int i = 0; i < files->count; i++) standard += tool_is_stdio(files->word[i]);
    if (standard > 1) tool_misuse("only one input can be standard input");
    if (o->estimate) tool_refuse_unused("--estimate", unused, 3);
    if (o->serial && names_gpus(&o->common))
        tool_misuse("--serial is a way of the CPU, not one of --device %.20s", o->common.device);
    if (o->serial && option_given(&o->common, &o->common.threads))
        tool_warn("--threads has no effect with --serial");
    if (repeats && !o->common.verbose && o->common.json == NULL)
        tool_warn("--repeat has no effect without -v or --json, which tell the times");
    if (o->boolean && o->drop_zeros) tool_warn("--drop-zeros has no effect with --boolean");
    if (o->boolean && option_given(&o->common, &o->common.precision))
        tool_warn("--precision has no effect with --boolean");
    if (tool_rank_count() > 1) check_ranks_usage(o);
    tool_check_apart(outputs, 2);
}

spmv_status job_check_first(spgemm_job *job, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const char *words[3] = {job->a};
    operands inputs = {1, words};
    spmv_status st;
    if (job->b != NULL) words[inputs.count++] = job->b;
    if (o->mask != NULL) words[inputs.count++] = o->mask;
    TOOL_TRY(common_named_device(&o->common, &job->device, &job->gpus, err));
    if (o->estimate)
        TOOL_TRY(tool_check_output("-", false, true, &inputs, err));
    else if (job->out != NULL)
        TOOL_TRY(
            tool_check_output(job->out, !job->target.file->text, o->common.force, &inputs, err));
    st = tool_check_side_output(o->common.json, &o->common, &inputs, err);
done:
    return st;
}
