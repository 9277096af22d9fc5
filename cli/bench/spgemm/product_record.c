/* product_record.c -- see product_record.h. */
#include "cli/bench/spgemm/product_record.h"
#include "cli/bench/measure/bench_record.h"
#include "cli/json/record.h"
#include "cli/measure/samples.h"
#include "cli/tool/steps.h"

/* Bytes of CSR with 32-bit columns and offsets. */
static double bytes_of(double rows, double nnz, spmv_type type)
{
    return 4 * (rows + 1) + nnz * (4 + (double)spmv_type_size(type));
}

/* What has to be moved at the least: A and B are read, C is written. */
static spmv_bandwidth rate(const product_measurement *m)
{
    bench_product *p = m->product;
    const spmv_head *A = &bench_product_a(p)->A->head, *B = &bench_product_b(p)->A->head;
    const sample_stats s = samples_summarise(m->times.samples, m->times.count);
    const double seconds = s.median > 0 ? s.median : 1e-9; /* below what any clock tells */
    const double operations = step_product_flops(A->type, B->type);
    const double bytes = bytes_of((double)A->rows, (double)A->nnz, A->type) +
                         bytes_of((double)B->rows, (double)B->nnz, B->type) +
                         bytes_of((double)A->rows, (double)m->nnz, A->type);
    const double theoretical = m->device.bandwidth > 0 ? m->device.bandwidth : 1;
    return (spmv_bandwidth){.useful_bytes = bytes,
                            .moved_bytes = bytes,
                            .flops_per_second = operations * (double)p->products / seconds,
                            .achieved = bytes / seconds,
                            .theoretical = theoretical,
                            .efficiency = bytes / seconds / theoretical};
}

static void record_product(report *r, const product_measurement *m)
{
    report *p = report_object(r, "product");
    report_text(p, "b", m->product->matrix->file);
    report_flag(p, "transposed", m->product->transpose.A != NULL);
    report_integer(p, "products", m->product->products);
    report_integer(p, "nnz", m->nnz);
    report_flag(p, "estimated", false);
    if (m->memory_bytes >= 0) report_integer(p, "memory_bytes", m->memory_bytes);
}

static void record_phases_of(report *r, const product_measurement *m)
{
    const bench_matrix *matrix = m->product->matrix;
    const tool_phase phases[] = {
        {"read", matrix->read_s, matrix->read_bytes},
        {"convert", matrix->convert_s, 0},
        {"upload", m->copy_s, 0}, /* on a CPU nothing */
        {"verify", m->verify_s, 0},
        {"multiply", m->measure_s, 0},
    };
    record_phase_list(r, phases, sizeof phases / sizeof phases[0]);
}

report *bench_product_record(const product_measurement *m)
{
    const spmv_bandwidth bandwidth = rate(m);
    report *r = bench_record_plan(m->product->matrix, m->candidate);
    report_integer(r, "block_size", 0);
    report_integer(r, "seed", m->product->matrix->options->common.seed);
    record_phases_of(r, m);
    record_time(r, m->times.samples, m->times.count);
    report_integer(r, "batch", m->times.batch);
    record_bandwidth(r, &bandwidth);
    record_product(r, m);
    if (!m->verified) return r;
    report *verify = record_verification(r, &m->check.verification, m->checked);
    report_flag(verify, "equal_bits", m->check.equal_bits);
    return r;
}
