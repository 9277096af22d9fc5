/* spmv_convert.c -- spmv-convert: any input format to any output format. */
#include "cli/convert/convert_job.h"
#include "cli/files/outputs.h"
#include "cli/files/target.h"
#include "cli/tool/path.h"
#include "cli/tool/tool.h"
#include "cli/tool/yield_stdout.h"

#include <string.h>

#define INPUT "Input"
#define MATRIX "Matrix"
#define OUTPUT "Output"
#define INSTEAD "Instead of converting"
#define AT(member) offsetof(convert_options, member)
static const option table[] = {
    GRAPH_OPTIONS(INPUT, AT(graph)),
    OPTION(INPUT, 0, "duplicates", OPTION_CHOICE, "sum|first|last|error", AT(duplicates),
           "for a coordinate that is given twice [sum]"),
    OPTION(INPUT, 0, "complex", OPTION_CHOICE, "real|imag|abs", AT(complex_part),
           "make complex values real ones [they stay complex]"),
    OPTION(INPUT, 0, "skip-invalid", OPTION_FLAG, NULL, AT(skip_invalid),
           "leave out entries outside the matrix"),
    OPTION(INPUT, 0, "strict", OPTION_FLAG, NULL, AT(strict),
           "refuse a file that reading would warn of"),
    OPTION(INPUT, 0, "trust", OPTION_FLAG, NULL, AT(trust),
           "do not check a binary file: a damaged one can do anything"),
    OPTION(INPUT, 0, "match", OPTION_WORDS, "GLOB", AT(match),
           "of several files those with such a name, as in 'HB/*'; may be repeated"),
    OPTION(INPUT, 0, "exclude", OPTION_WORDS, "GLOB", AT(exclude),
           "of several files none with such a name; may be repeated"),
    OPTION(MATRIX, 0, "values", OPTION_CHOICE, "f32|f64|pattern|c64|c128|keep", AT(values),
           "type of the values [keep, or --precision]"),
    OPTION(MATRIX, 0, "transpose", OPTION_FLAG, NULL, AT(transpose), "swap rows and columns"),
    OPTION(MATRIX, 0, "symmetric", OPTION_CHOICE, "expand|keep", AT(symmetric),
           "fill in the missing triangle, or not [expand]"),
    OPTION(MATRIX, 0, "drop-zeros", OPTION_FLAG, NULL, AT(drop_zeros),
           "remove entries whose value is 0"),
    OPTION(OUTPUT, 0, "to", OPTION_NAME, "FMT", AT(to), "output format [by suffix; csr]",
           .names = target_name, .list = "--list-formats"),
    OPTION(OUTPUT, 0, "ell-width", OPTION_INTEGER, "K", AT(ell_width),
           "least width of ELL [the longest row]", .low = 0, .high = INT32_MAX),
    OPTION(OUTPUT, 0, "hyb-width", OPTION_INTEGER, "K", AT(hyb_width),
           "ELL part of HYB [from the row lengths]", .low = 0, .high = INT32_MAX),
    OPTION(OUTPUT, 0, "sell-slice", OPTION_INTEGER, "C", AT(sell_slice),
           "rows in a slice of SELL [32] and CSELL [128, or 32 where rows are sorted], which takes "
           "multiples of 32 up to 1024",
           .low = 1, .high = SPMV_SELL_SLICE),
    OPTION(OUTPUT, 0, "sell-window", OPTION_INTEGER, "S", AT(sell_window),
           "rows of SELL and CSELL sorted together, whole slices, 1 for none [128 slices, or none "
           "where little is padding]",
           .low = 1, .high = INT32_MAX),
    OPTION(OUTPUT, 0, "bsr-block", OPTION_INTEGER, "B", AT(bsr_block),
           "rows in a block of BSR [what takes least memory]", .low = 2, .high = SPMV_BSR_BLOCK),
    OPTION(OUTPUT, 0, "map", OPTION_FILE, "FILE", AT(map),
           "write what each row is called, a line each"),
    OPTION(OUTPUT, 0, "output-dir", OPTION_FILE, "FOLDER", AT(output_dir),
           "convert every IN, files and folders, into this folder"),
    OPTION(INSTEAD, 0, "check", OPTION_FLAG, NULL, AT(check),
           "read every FILE, also those in folders; silent where all is well"),
    OPTION(INSTEAD, 0, "info", OPTION_FLAG, NULL, AT(info),
           "describe every FILE, also those in folders; with --json only in the record"),
    OPTION(INSTEAD, 0, "format", OPTION_CHOICE, "text|line|csv", AT(format),
           "of --info: at length, or a line for each file [text]"),
    OPTION(INSTEAD, 0, "spy", OPTION_FILE, "FILE", AT(spy),
           "draw where the entries of IN are (.svg, .png)"),
    OPTION(INSTEAD, 0, "list-members", OPTION_FLAG, NULL, AT(list_members),
           "print the files in every archive, as --member takes them, and their bytes, or with "
           "--json a record of them"),
    OPTION(INSTEAD, 0, "list-formats", OPTION_FLAG, NULL, AT(list_formats),
           "print the formats, or with --json a record of them"),
};

static const tool self = {
    .name = "spmv-convert",
    .operands = "IN [OUT] | --check|--info|--output-dir FOLDER IN... | --spy FILE IN",
    .summary = "Convert a sparse matrix from any input format to any output format",
    .examples = {"spmv-convert web.mtx web.csr", "zcat big.mtx.gz | spmv-convert - big.csr",
                 "spmv-convert --info *.mtx"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
    .unused = " device seed ",
};

/* Returns where the result goes: the second operand or --output, not both. */
static const char *choose_output(const convert_options *o, const operands *files)
{
    const char *out = files->count > 1 ? files->word[1] : common_output(&o->common);
    if (files->count < 1) tool_misuse("the input is missing");
    if (files->count > 2)
        tool_misuse("a conversion takes one input and one output, not %d files", files->count);
    if (files->count > 1 && o->common.output != NULL)
        tool_misuse("%.80s and --output %.80s are two outputs; name one of them", files->word[1],
                    o->common.output);
    tool_yield_stdout(&out, "the result", &o->common);
    const tool_output outputs[] = {
        {out, "the output"}, {o->common.json, "--json"}, {o->map, "--map"}};
    tool_check_apart(outputs, 3);
    const char *map = o->map;
    const spmv_file_format *format = map == NULL ? NULL : spmv_file_format_of(map);
    if (format != NULL && strcmp(format->name, "el") != 0)
        tool_misuse("--map writes lines of text; %.80s would not be a file of the format %s", map,
                    format->name);
    return out;
}

/* Refuse options that this way to use the tool does not know; `conversion` is the one without a
 * name.  Returns the name. */
static const char *check_conversion_mode(const convert_options *o)
{
    static const char reading[] = " conversion --output-dir --check --info --spy ";
    static const char several[] = " --output-dir --check --info --list-members ";
    static const char writing[] = " conversion --output-dir ";
    const tool_scope scopes[] = {
        {&o->common.from, "--from", reading},
        {&o->graph.header, "--header", reading},
        {&o->graph.delimiter, "--delimiter", reading},
        {&o->graph.columns, "--columns", reading},
        {&o->duplicates, "--duplicates", reading},
        {&o->graph.count_repeated, "--count-repeated", reading},
        {&o->complex_part, "--complex", reading},
        {&o->graph.index_base, "--index-base", reading},
        {&o->graph.all_ids, "--all-ids", reading},
        {&o->graph.undirected, "--undirected", reading},
        {&o->skip_invalid, "--skip-invalid", reading},
        {&o->strict, "--strict", reading},
        {&o->trust, "--trust", " conversion --output-dir --info --spy "},
        {&o->common.member, "--member", reading},
        {&o->symmetric, "--symmetric", " conversion --output-dir --check "},
        {&o->common.json, "--json",
         " conversion --output-dir --check --info --list-formats --list-members "},
        {&o->values, "--values", writing},
        {&o->common.precision, "--precision", writing},
        {&o->transpose, "--transpose", writing},
        {&o->drop_zeros, "--drop-zeros", writing},
        {&o->to, "--to", writing},
        {&o->map, "--map", " conversion "},
        {&o->common.output, "--output", " conversion "},
        {&o->ell_width, "--ell-width", writing},
        {&o->hyb_width, "--hyb-width", writing},
        {&o->sell_slice, "--sell-slice", writing},
        {&o->sell_window, "--sell-window", writing},
        {&o->bsr_block, "--bsr-block", writing},
        {&o->match, "--match", several},
        {&o->exclude, "--exclude", several},
        {&o->format, "--format", " --info "},
    };
    const char *mode = o->check                ? "--check"
                       : o->list_members       ? "--list-members"
                       : o->info               ? "--info"
                       : o->spy != NULL        ? "--spy"
                       : o->list_formats       ? "--list-formats"
                       : o->output_dir != NULL ? "--output-dir"
                                               : "conversion";
    tool_refuse_scoped(&o->common, mode, scopes, sizeof scopes / sizeof scopes[0]);
    if (option_given(&o->common, &o->duplicates) && o->graph.count_repeated)
        tool_misuse("--duplicates and --count-repeated are mutually exclusive");
    if (option_given(&o->common, &o->values) && option_given(&o->common, &o->common.precision))
        tool_misuse("--values and --precision are mutually exclusive");
    return mode;
}

int main(int argc, char **argv)
{
    convert_options options = {.common = COMMON_DEFAULTS,
                               .graph = GRAPH_DEFAULTS,
                               .complex_part = -1,
                               .values = VALUES_KEEP,
                               .hyb_width = -1};
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &options.common, &files);
    const bool spy = options.spy != NULL, batch = options.output_dir != NULL;
    if (options.check + options.info + spy + options.list_formats + options.list_members + batch >
        1)
        tool_misuse("--check, --info, --spy, --list-formats, --list-members and --output-dir are "
                    "mutually exclusive");
    const char *mode = check_conversion_mode(&options);
    if (options.list_formats) {
        tool_check_listing(mode, &options.common, &files);
        return convert_list(&options.common);
    }
    if (!batch) tool_take_pipe(&files);
    if (batch && tool_is_stdio(options.output_dir))
        tool_misuse("--output-dir takes the name of a folder, not %s", options.output_dir);
    if ((options.check || options.info || options.list_members || batch) && files.count == 0)
        tool_misuse("%s needs the name of a file", mode);
    if (spy && files.count != 1) tool_misuse("--spy draws one matrix, not %d", files.count);
    if (options.check) return convert_check(&options, &files);
    if (spy) return convert_spy(&options, &files);
    if (options.info) return convert_info(&options, &files);
    if (options.list_members) return convert_list_members(&options, &files);
    if (batch) return convert_batch(&options, &files);
    tool_yield_stdout(&options.map, "the map", &options.common);
    const char *out = choose_output(&options, &files);
    return tool_finish(convert_one(&options, files.word[0], out, &err), &err);
}
