/* bench_predict.c -- spmv-bench --model: every matrix on every machine on paper. */
#include "cli/bench/bench.h"
#include "cli/bench/model/show_predictions.h"
#include "cli/bench/show/export.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <stdlib.h>

/* The machines, with the memory of the device at hand where none was given. */
static spmv_status parse_machines(model_machine *out, const bench_options *o, spmv_error *err)
{
    spmv_device_info info = {0};
    spmv_status st = SPMV_SUCCESS;
    int device;
    for (int i = 0; i < o->models.count; i++)
        TOOL_TRY(model_machine_parse(o->models.word[i], &out[i], err));
    TOOL_TRY(common_device(&o->common, &device, err));
    for (int i = 0; i < o->models.count; i++) {
        if (out[i].memory > 0) continue;
        if (info.bandwidth <= 0) TOOL_TRY(spmv_device_describe(device, &info, err));
        out[i].memory = info.bandwidth;
        out[i].is_measured = true;
    }
done:
    return st;
}

/* The type of the vectors that values of a type are multiplied with. */
static spmv_type vector_type(const bench_options *o, spmv_type type)
{
    return common_precision(&o->common, type != SPMV_PATTERN ? type : SPMV_F64);
}

/* The matrix as CSR, with the values that it came with, or those of --precision where its own do
 * not multiply such vectors. */
static spmv_status read_csr(spmv_matrix *A, const tool_input *input, const bench_options *o,
                            spmv_error *err)
{
    int64_t bytes;
    spmv_status st;
    TOOL_TRY(bench_read(A, input, o, &bytes, err));
    const spmv_type precision = vector_type(o, A->head.type);
    tool_phase_begin("convert", spmv_format_name(SPMV_CSR));
    st = spmv_own_indices(A, err);
    if (st == SPMV_SUCCESS && !spmv_type_multiplies(A->head.type, precision))
        st = step_type(A, precision, input->path, err);
    if (st == SPMV_SUCCESS) st = step_format(A, SPMV_CSR, NULL, err);
    tool_phase_end(0);
done:
    return st;
}

/* Predict for the rows that METIS or a file says, where the option names one of them. */
static spmv_status predict_shares(prediction *p, const spmv_csr *A, spmv_error *err)
{
    int32_t *rank_of_row = NULL;
    spmv_status st = tool_find_shares(&rank_of_row, p->partition, A, (int)p->machine.ranks, err);
    if (st == SPMV_SUCCESS) st = prediction_make(p, A, rank_of_row, err);
    free(rank_of_row);
    return st;
}

/* Add the predictions of a matrix for all machines, unless it is left out. */
static spmv_status predict_matrix(prediction_list *all, const tool_input *input,
                                  const model_machine *machine, const bench_options *o,
                                  spmv_error *err)
{
    spmv_matrix A = {0};
    spmv_row_stats stats;
    spmv_status st;
    TOOL_TRY(read_csr(&A, input, o, err));
    TOOL_TRY(spmv_row_stats_compute(&A, &stats, err));
    if (bench_leaves_out(input, stats.nnz, o)) goto done;
    tool_phase_begin("predict", input->name);
    for (int i = 0; i < o->models.count && st == SPMV_SUCCESS; i++) {
        prediction *p = &all->item[all->count];
        *p = (prediction){.file = input->path,
                          .name = input->name,
                          .stats = stats,
                          .type = A.head.type,
                          .precision = vector_type(o, A.head.type),
                          .partition = o->partition,
                          .machine = machine[i]};
        st = predict_shares(p, &A.csr, err);
        if (st == SPMV_SUCCESS)
            all->count++;
        else
            prediction_destroy(p);
    }
    tool_phase_end(0);
done:
    spmv_destroy(&A);
    return st;
}

/* A matrix that fails does not keep the others from being predicted. */
static void predict_all(prediction_list *all, const tool_inputs *inputs,
                        const model_machine *machine, const bench_options *o, int *exit_status)
{
    for (int i = 0; i < inputs->count; i++) {
        spmv_error why = {0};
        const spmv_status st = predict_matrix(all, &inputs->item[i], machine, o, &why);
        if (st == SPMV_SUCCESS) continue;
        tool_blame_input(inputs->item[i].path, &why);
        tool_print_error(st, &why);
        if (tool_exit_status(st) > *exit_status) *exit_status = tool_exit_status(st);
    }
}

static spmv_status write_predictions(const prediction_list *all, const bench_options *o,
                                     spmv_error *err)
{
    const common_options *c = &o->common;
    spmv_status st;
    TOOL_TRY(bench_write_text(prediction_writers[o->format], all, c->output, c->force, err));
    if (c->json != NULL)
        TOOL_TRY(bench_write_text(prediction_write_json, all, c->json, c->force, err));
done:
    return st;
}

spmv_status bench_predict(const operands *words, const bench_options *options, int *exit_status,
                          spmv_error *err)
{
    const bench_options variant = bench_variant(options, 0), *o = &variant;
    model_machine machine[OPTION_WORDS_MOST];
    tool_inputs inputs = {0};
    prediction_list all = {0};
    operands files = {0};
    spmv_status st;
    TOOL_TRY(parse_machines(machine, o, err));
    TOOL_TRY(bench_find_inputs(&inputs, words, o, err));
    TOOL_TRY(tool_inputs_files(&files, &inputs, err));
    TOOL_TRY(bench_check_outputs(&files, o, err));
    all.item = calloc((size_t)inputs.count * (size_t)o->models.count, sizeof *all.item);
    if (all.item == NULL)
        TOOL_TRY(tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold the predictions"));
    predict_all(&all, &inputs, machine, o, exit_status);
    TOOL_TRY(write_predictions(&all, o, err));
done:
    for (int i = 0; i < all.count; i++) prediction_destroy(&all.item[i]);
    free(all.item);
    free(files.word);
    tool_inputs_destroy(&inputs);
    return st;
}
