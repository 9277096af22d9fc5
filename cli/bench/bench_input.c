/* bench_input.c -- which matrices: files, those in folders, and those of --generate. */
#include "cli/bench/bench.h"
#include "cli/gen/generate_spec.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

spmv_status bench_find_inputs(tool_inputs *out, const operands *words, const bench_options *options,
                              spmv_error *err)
{
    const option_words *generate = &options->generate;
    spmv_status st = SPMV_SUCCESS;
    TOOL_TRY(tool_inputs_find(out, words, NULL, err));
    for (int i = 0; i < generate->count; i++) {
        const spmv_generator *kind;
        generate_words said = {.options.type = SPMV_F64, GENERATE_UNSAID};
        TOOL_TRY(generate_parse(generate->word[i], &kind, &said, err));
        generate_warn(kind, &said);
        TOOL_TRY(tool_inputs_generate(out, generate->word[i], err));
    }
    TOOL_TRY(tool_inputs_choose(out, &options->match, &options->exclude, err));
done:
    return st;
}

bool bench_leaves_out(const tool_input *input, int64_t nnz, const bench_options *options)
{
    if (options->max_nnz == 0 || nnz <= options->max_nnz) return false;
    tool_note("%s: left out, as it has %lld nonzeros", input->name, (long long)nnz);
    return true;
}
