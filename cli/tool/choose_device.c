/* choose_device.c -- which device --device names. */
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/gather.h"
#include "cli/tool/tool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spmv_status no_gpu(spmv_error *err)
{
    return tool_fail(err, SPMV_ERROR_NO_DEVICE, "there is no usable GPU; try --device cpu");
}

bool common_is_automatic(const common_options *options)
{
    return strcmp(options->device, "auto") == 0;
}

spmv_status common_device(const common_options *options, int *out, spmv_error *err)
{
    int64_t number = 0;
    const option as_number = {.kind = OPTION_INTEGER, .low = 0, .high = INT_MAX};
    const bool automatic = common_is_automatic(options);

    *out = SPMV_DEVICE_CPU;
    if (strcmp(options->device, "cpu") == 0 || (automatic && spmv_gpu_count() == 0))
        return SPMV_SUCCESS;
    if (!automatic && strcmp(options->device, "gpu") != 0 &&
        option_store(&as_number, &number, "--device", options->device, NULL) != SPMV_SUCCESS)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "--device takes auto, cpu, gpu, all or the number of a GPU, not '%.60s'",
                         options->device);
    if (spmv_gpu_count() == 0) return no_gpu(err);
    if (number >= spmv_gpu_count())
        return tool_fail(err, SPMV_ERROR_NO_DEVICE,
                         "there is no GPU %d; spmv-run --list-devices prints what there is",
                         (int)number);
    *out = (int)number;
    return SPMV_SUCCESS;
}

void common_check_several(const common_options *options, const char *what)
{
    if (!common_is_automatic(options) && strcmp(options->device, "cpu") != 0)
        tool_misuse("several processes %s on the CPU, not on the device %s", what, options->device);
}

void common_check_rank_device(const common_options *options, const char *what)
{
    static const char *const known[] = {"auto", "cpu", "gpu"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(options->device, known[i]) == 0) return;
    tool_misuse(
        "several processes %s on the CPU or with a GPU each, on --device cpu or gpu, not %s", what,
        options->device);
}

/* Whether each process finds a GPU of its own, and how many GPUs they have: those of one machine
 * see the same ones. */
static spmv_status count_together(bool *own, int *gpus, spmv_comm *comm, int count, spmv_error *err)
{
    enum { OWN, FIRST, TOLD };
    const double tell[TOLD] = {spmv_comm_local_size(comm) <= count,
                               spmv_comm_local_rank(comm) < count};
    double *told;
    const spmv_status st = tool_gather(&told, comm, tell, TOLD, err);
    *own = st == SPMV_SUCCESS;
    *gpus = 0;
    for (int k = 0; k < spmv_comm_size(comm) && st == SPMV_SUCCESS; k++) {
        *own = *own && told[k * TOLD + OWN] != 0;
        *gpus += told[k * TOLD + FIRST] != 0;
    }
    free(told);
    return st;
}

spmv_status common_rank_device(const common_options *options, spmv_comm *comm, bool needed,
                               int *device, int *gpus, spmv_error *err)
{
    const int count = strcmp(options->device, "cpu") == 0 ? 0 : spmv_gpu_count();
    bool own = false;
    spmv_status st = SPMV_SUCCESS;
    *device = SPMV_DEVICE_CPU;
    if (needed && count == 0)
        st = tool_fail(err, SPMV_ERROR_NO_DEVICE,
                       "process %d of %d has no usable GPU; try --device cpu", spmv_comm_rank(comm),
                       spmv_comm_size(comm));
    st = spmv_comm_agree(comm, st, err);
    if (st == SPMV_SUCCESS) st = count_together(&own, gpus, comm, count, err);
    if (st == SPMV_SUCCESS && (own || needed))
        *device = spmv_comm_local_rank(comm) % count;
    else
        *gpus = 0;
    return st;
}

bool common_wants_all(const common_options *options)
{
    return strcmp(options->device, "all") == 0;
}

spmv_status common_all_devices(int *count, spmv_error *err)
{
    *count = spmv_gpu_count();
    return *count > 0 ? SPMV_SUCCESS : no_gpu(err);
}

spmv_status common_named_device(const common_options *options, int *device, int *gpus,
                                spmv_error *err)
{
    *device = SPMV_DEVICE_CPU;
    if (common_is_automatic(options)) return SPMV_SUCCESS;
    if (!common_wants_all(options)) return common_device(options, device, err);
    *device = 0;
    return common_all_devices(gpus, err);
}

void common_add_up(spmv_device_info *info, int count)
{
    char name[sizeof info->name];
    snprintf(name, sizeof name, "%d x %.110s", count, info->name);
    memcpy(info->name, name, sizeof name);
    info->memory *= count;
    info->cache *= count;
    info->multiprocessors *= count;
    info->bandwidth *= count;
}
