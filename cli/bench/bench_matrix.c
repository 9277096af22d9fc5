/* bench_matrix.c -- one matrix to measure on: read or generated, as CSR, with a vector. */
#include "cli/bench/bench.h"
#include "cli/gen/generate_spec.h"
#include "cli/tool/steps.h"
#include "cli/tool/fail.h"
#include "cli/tool/phase.h"

spmv_status bench_read(spmv_matrix *out, const tool_input *input, const bench_options *o,
                       int64_t *bytes, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    *bytes = 0;
    if (!input->generated) {
        spmv_file_info info;
        st = step_read(out, input->path, &o->common, NULL, &info, err);
        *bytes = info.bytes;
        spmv_labels_destroy(&info.labels);
        return st;
    }
    const spmv_generator *kind;
    generate_words said = {.options = {.type = common_precision(&o->common, SPMV_F64),
                                       .seed = (uint64_t)o->common.seed,
                                       .threads = (int)o->common.threads},
                           GENERATE_UNSAID};
    tool_phase_begin("generate", input->path);
    out->format = SPMV_CSR;
    TOOL_TRY(generate_parse(input->path, &kind, &said, err));
    TOOL_TRY(spmv_generate(&out->csr, kind->name, &said.options, err));
done:
    tool_phase_end(0);
    return st;
}

/* m->A becomes B; what was read stays beside it when it will be compared with, as products with
 * vectors are. */
static void replace(bench_matrix *m, const spmv_matrix *B)
{
    if (m->options->no_verify || m->options->op == BENCH_SPGEMM || m->has_original) {
        spmv_destroy(&m->A);
    } else {
        m->original = m->A;
        m->has_original = true;
    }
    m->A = *B;
}

/* x is there as it was made and as it is multiplied; y also, where it is verified, as it was before
 * and as it is found. */
static spmv_status make_x(bench_matrix *m, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(step_check_vectors(&m->stats, m->options->no_verify ? 1 : 3, m->options->vectors,
                                m->precision, err));
    TOOL_TRY(spmv_dense_create(&m->x, m->precision, m->stats.cols, m->options->vectors, err));
    spmv_dense_fill_random(&m->x, (uint64_t)m->options->common.seed);
done:
    return st;
}

static spmv_status prepare(bench_matrix *m, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_matrix B;
    const spmv_type stored = m->A.head.type;
    m->precision =
        common_precision(&m->options->common, stored == SPMV_PATTERN ? SPMV_F64 : stored);
    tool_phase_begin("convert", spmv_type_name(m->precision));
    TOOL_TRY(spmv_own_indices(&m->A, err));
    const spmv_type type = spmv_smallest_type(&m->A, m->precision);
    if (type != stored) {
        TOOL_TRY(step_values(&B, &m->A, type, m->file, err));
        replace(m, &B);
    }
    if (m->A.format != SPMV_CSR) {
        TOOL_TRY(spmv_convert(&B, &m->A, SPMV_CSR, NULL, err));
        replace(m, &B);
    }
    TOOL_TRY(spmv_row_stats_compute(&m->A, &m->stats, err));
    if (m->options->op == BENCH_SPMV) st = make_x(m, err);
done:
    tool_phase_end(0);
    return st;
}

/* Fill in A and what reading it has taken. */
static spmv_status read_matrix(bench_matrix *m, const tool_input *input, spmv_error *err)
{
    const double start = spmv_now();
    const spmv_status st = bench_read(&m->A, input, m->options, &m->read_bytes, err);
    m->read_s = spmv_now() - start;
    return st;
}

/* The same with a copy, which lives in no mapped file: its indices are made safe before. */
static spmv_status read_stream(bench_matrix *m, const tool_input *input, bench_stream *s,
                               spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (!s->is_read) {
        TOOL_TRY(read_matrix(m, input, err));
        *s = (bench_stream){m->A, m->read_bytes, m->read_s, true};
        m->A = (spmv_matrix){0};
        TOOL_TRY(spmv_own_indices(&s->A, err));
    }
    m->read_bytes = s->bytes;
    m->read_s = s->read_s;
    st = spmv_convert(&m->A, &s->A, s->A.format, NULL, err);
done:
    return st;
}

spmv_status bench_load(bench_matrix *out, const tool_input *input, bench_stream *stream,
                       const bench_options *options, spmv_error *err)
{
    *out = (bench_matrix){.options = options, .file = input->path, .name = input->name};
    spmv_status st =
        stream != NULL ? read_stream(out, input, stream, err) : read_matrix(out, input, err);
    const double start = spmv_now();
    if (st == SPMV_SUCCESS) st = prepare(out, err);
    out->convert_s = spmv_now() - start;
    if (st == SPMV_SUCCESS) out->checksum = spmv_csr_checksum(&out->A.csr);
    out->deadline = spmv_now() + options->timeout;
    return st;
}
