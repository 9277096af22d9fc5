/* list_kernels.c -- spmv-run --list-kernels and --list-devices, as text or JSON. */
#include "cli/run/run.h"
#include "cli/tool/fail.h"
#include "cli/text/number_text.h"
#include "cli/tool/tool.h"

static void print_kernels(void)
{
    printf("%-12s %-6s %-6s %s\n", "Kernel", "Device", "Format", "What it does");
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *k = spmv_kernel_at(i);
        printf("%-12s %-6s %-6s %s%s%s\n", k->name, k->gpu ? "gpu" : "cpu",
               spmv_format_name(k->format), k->summary,
               k->deterministic ? "" : " (not deterministic)",
               k->available ? "" : " (not in this build)");
    }
}

int run_list_kernels(const common_options *common)
{
    spmv_error err = {0};
    if (common->json == NULL) {
        print_kernels();
        return tool_finish(SPMV_SUCCESS, &err);
    }
    report *r = record_create(), *all = report_array(r, "kernels");
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *k = spmv_kernel_at(i);
        report *o = report_object(all, NULL);
        report_text(o, "name", k->name);
        report_text(o, "summary", k->summary);
        report_text(o, "format", spmv_format_name(k->format));
        report_text(o, "device", k->gpu ? "gpu" : "cpu");
        report_flag(o, "deterministic", k->deterministic);
        report_flag(o, "available", k->available);
    }
    const spmv_status st = report_write(r, common->json, common->force, &err);
    report_destroy(r);
    return tool_finish(st, &err);
}

static void print_device(const spmv_device_info *d)
{
    char name[16] = "cpu", rate[TOOL_NUMBER], memory[TOOL_NUMBER], cache[TOOL_NUMBER];
    if (d->device != SPMV_DEVICE_CPU) snprintf(name, sizeof name, "%d", d->device);
    printf("%-6s %s, %s/s, %s memory, %s cache, %d %s\n", name, d->name,
           tool_bytes_text(d->bandwidth, rate), tool_bytes_text((double)d->memory, memory),
           tool_bytes_text((double)d->cache, cache), d->multiprocessors,
           d->device == SPMV_DEVICE_CPU ? "threads" : "multiprocessors");
}

int run_list_devices(const common_options *common)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_error err = {0};
    report *r = common->json != NULL ? record_create() : NULL;
    report *all = r != NULL ? report_array(r, "devices") : NULL;
    const int gpus = spmv_gpu_count();

    for (int device = SPMV_DEVICE_CPU; device < gpus; device++) {
        spmv_device_info info;
        TOOL_TRY(spmv_device_describe(device, &info, &err));
        if (r != NULL)
            record_device(report_object(all, NULL), &info);
        else
            print_device(&info);
    }
    if (r != NULL) st = report_write(r, common->json, common->force, &err);
done:
    report_destroy(r);
    return tool_finish(st, &err);
}
