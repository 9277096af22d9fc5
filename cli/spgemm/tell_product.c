/* tell_product.c -- what is said about a product: before it is made, under -v, and in --json. */
#include "cli/json/record.h"
#include "cli/measure/samples.h"
#include "cli/spgemm/spgemm_job.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/message.h"
#include "cli/text/number_text.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <inttypes.h>

/* ---- Before ---------------------------------------------------------------------------------- */

/* "enough for C", or how much is needed and how much there is. */
static void print_memory(double bytes)
{
    spmv_error err = {0};
    if (spmv_check_memory(bytes, "C", &err) == SPMV_SUCCESS)
        printf("memory    enough for C\n");
    else
        printf("memory    %s: to mtx or csr, C is written in pieces of rows\n", err.message);
}

static void print_estimate(const spmv_spgemm_estimate *e)
{
    char text[TOOL_NUMBER];
    printf("products  %" PRId64 "\n", e->products);
    printf("entries   %" PRId64 "%s\n", e->nnz, e->exact ? "" : " (estimated)");
    printf("size      %s\n", tool_bytes_text((double)e->bytes, text));
    printf("time      %s on the CPU\n", tool_time_text(e->seconds, text));
    print_memory((double)e->bytes);
}

spmv_status job_estimate(spgemm_job *job, spmv_error *err)
{
    spmv_spgemm_estimate *e = &job->estimate;
    tool_phase_begin("estimate", NULL);
    const spmv_status st =
        spmv_spgemm_estimate_product(e, &job->A, job_second(job), &job->how, err);
    tool_phase_end(0);
    if (st == SPMV_SUCCESS && common_prints(&job->options->common)) print_estimate(e);
    return st;
}

/* ---- After ----------------------------------------------------------------------------------- */

void job_say(const spgemm_job *job, const char *where)
{
    const sample_stats times = samples_summarise(job->seconds, (int)job->options->repeat);
    char median[TOOL_NUMBER], rate[TOOL_NUMBER] = "";
    const double products = (double)job->result.products, nnz = (double)job->C.head.nnz;
    const double flops = step_product_flops(job->A.head.type, job_second(job)->head.type);
    if (times.median > 0 && !job->how.boolean)
        snprintf(rate, sizeof rate, ", %.3g GFLOP/s", flops * products / times.median * 1e-9);
    tool_detail(
        "%" PRId64 " products, %" PRId64 " entries (%.3g products for each), on %s%s, median %s%s",
        job->result.products, job->C.head.nnz, nnz > 0 ? products / nnz : 0, where,
        job->in_pieces ? " in pieces of rows" : "", tool_time_text(times.median, median), rate);
}

void job_tell_gpus(const spgemm_job *job)
{
    char up[TOOL_NUMBER], in[TOOL_NUMBER], down[TOOL_NUMBER];
    double sum = 0, most = 0;
    for (int k = 0; k < job->gpus; k++) {
        const spmv_spgemm_gpu_share *s = &job->share[k];
        sum += (double)s->products;
        if ((double)s->products > most) most = (double)s->products;
        tool_detail("GPU %d: %" PRId64 " rows, %" PRId64 " products in %s; %" PRId64
                    " entries of B; A and B up in %s, C down in %s",
                    k, s->rows, s->products, tool_time_text(s->multiply_s, in), s->entries_of_b,
                    tool_time_text(s->upload_s, up), tool_time_text(s->download_s, down));
    }
    tool_detail("most products are %.3g times the mean", sum > 0 ? most * job->gpus / sum : 1);
}

void job_warn_rounded(const spgemm_job *job)
{
    const spmv_rounded_sums *r = &job->rounded;
    const bool single = step_is_single(job->C.head.type);
    if (r->count == 0) return;
    tool_warn("sums of integers that may not be exact, as they are 2^%d or more: %" PRId64
              "; the first is %.17g in row %" PRId64 ", column %" PRId64,
              single ? 24 : 53, r->count, r->size, r->row + 1, r->col + 1);
}

spmv_status job_record(const spgemm_job *job, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const spmv_spgemm_estimate *e = &job->estimate;
    spmv_device_info device;
    spmv_row_stats stats;
    spmv_status st = spmv_row_stats_compute(&job->A, &stats, err);
    if (st == SPMV_SUCCESS) st = spmv_device_describe(job->device, &device, err);
    if (st != SPMV_SUCCESS) return st;
    if (job->gpus > 0 && !job->in_pieces) common_add_up(&device, job->gpus);
    report *r = record_create();
    record_matrix(r, job->a, &stats, job->A.head.type, job->A.format);
    report *p = report_object(r, "product");
    report_text(p, "b", job->b != NULL ? job->b : job->a);
    report_integer(p, "products", o->estimate ? e->products : job->result.products);
    report_integer(p, "nnz", o->estimate ? e->nnz : job->C.head.nnz);
    report_flag(p, "estimated", o->estimate);
    if (o->estimate) {
        report_integer(p, "bytes", e->bytes);
        report_flag(p, "fits", spmv_check_memory((double)e->bytes, "C", NULL) == SPMV_SUCCESS);
        report_real(p, "seconds", e->seconds);
    } else {
        report_text(r, "kernel", job_kernel(job));
        report_flag(p, "in_pieces", job->in_pieces);
        report_integer(p, "rounded", job->rounded.count);
        record_time(p, job->seconds, (int)o->repeat);
        record_device(report_object(r, "device"), &device);
    }
    record_host(r);
    record_phases(r);
    st = report_write(r, o->common.json, o->common.force, err);
    report_destroy(r);
    return st;
}
