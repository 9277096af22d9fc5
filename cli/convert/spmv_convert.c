/* spmv_convert.c -- spmv-convert: any input format to any output format. */
#include "cli/convert/convert_job.h"
#include "cli/tool/steps.h"
#include "cli/tool/target.h"

#include <inttypes.h>
#include <string.h>

convert_options convert_opt = {
    .complex_part = -1, .index_base = -1, .values = VALUES_KEEP, .hyb_width = -1};

#define INPUT "Input"
#define MATRIX "Matrix"
#define OUTPUT "Output"
#define INSTEAD "Instead of converting"
static const option table[] = {
    OPTION(INPUT, 0, "from", OPTION_NAME, "FMT", &convert_opt.from,
           "input format [recognised from its content]", .names = step_input_name),
    OPTION(INPUT, 0, "duplicates", OPTION_CHOICE, "sum|first|last|error", &convert_opt.duplicates,
           "for a coordinate that is given twice [sum]"),
    OPTION(INPUT, 0, "complex", OPTION_CHOICE, "real|imag|abs", &convert_opt.complex_part,
           "make complex values real ones [they stay complex]"),
    OPTION(INPUT, 0, "index-base", OPTION_CHOICE, "0|1", &convert_opt.index_base,
           "what Matrix Market [1] and --all-ids [0] count from"),
    OPTION(INPUT, 0, "undirected", OPTION_FLAG, NULL, &convert_opt.undirected,
           "take each edge both ways"),
    OPTION(INPUT, 0, "all-ids", OPTION_FLAG, NULL, &convert_opt.all_ids,
           "edge list: every number up to the largest is a node"),
    OPTION(INPUT, 0, "count-repeated", OPTION_FLAG, NULL, &convert_opt.count_repeated,
           "text: how often an edge without weight is given is its weight"),
    OPTION(INPUT, 0, "skip-invalid", OPTION_FLAG, NULL, &convert_opt.skip_invalid,
           "leave out entries outside the matrix"),
    OPTION(INPUT, 0, "strict", OPTION_FLAG, NULL, &convert_opt.strict, "turn warnings into errors"),
    OPTION(INPUT, 0, "trust", OPTION_FLAG, NULL, &convert_opt.trust,
           "do not check a binary file: a damaged one can do anything"),
    OPTION(MATRIX, 0, "values", OPTION_CHOICE, "f32|f64|pattern|c64|c128|keep", &convert_opt.values,
           "type of the values [keep, or --precision]"),
    OPTION(MATRIX, 0, "transpose", OPTION_FLAG, NULL, &convert_opt.transpose,
           "swap rows and columns"),
    OPTION(MATRIX, 0, "symmetric", OPTION_CHOICE, "expand|keep", &convert_opt.symmetric,
           "fill in the missing triangle, or not [expand]"),
    OPTION(MATRIX, 0, "drop-zeros", OPTION_FLAG, NULL, &convert_opt.drop_zeros,
           "remove entries whose value is 0"),
    OPTION(OUTPUT, 0, "to", OPTION_NAME, "FMT", &convert_opt.to, "output format [by suffix; csr]",
           .names = target_name),
    OPTION(OUTPUT, 0, "ell-width", OPTION_INTEGER, "K", &convert_opt.ell_width,
           "least width of ELL [the longest row]", .low = 0, .high = INT32_MAX),
    OPTION(OUTPUT, 0, "hyb-width", OPTION_INTEGER, "K", &convert_opt.hyb_width,
           "ELL part of HYB [from the row lengths]", .low = 0, .high = INT32_MAX),
    OPTION(OUTPUT, 0, "sell-slice", OPTION_INTEGER, "C", &convert_opt.sell_slice,
           "rows in a slice of SELL [32] and CSELL [128, or 32 where rows are sorted]", .low = 1,
           .high = SPMV_SELL_SLICE),
    OPTION(OUTPUT, 0, "sell-window", OPTION_INTEGER, "S", &convert_opt.sell_window,
           "rows of SELL and CSELL sorted together, 1 for none [128 slices, or none where little "
           "is padding]",
           .low = 1, .high = INT32_MAX),
    OPTION(OUTPUT, 0, "map", OPTION_FILE, "FILE", &convert_opt.map,
           "write what each row is called, a line each"),
    OPTION(INSTEAD, 0, "check", OPTION_FLAG, NULL, &convert_opt.check,
           "read every FILE; silent where all is well"),
    OPTION(INSTEAD, 0, "info", OPTION_FLAG, NULL, &convert_opt.info, "describe every FILE"),
    OPTION(INSTEAD, 0, "spy", OPTION_FILE, "FILE", &convert_opt.spy,
           "draw where the entries of IN are (.svg, .png)"),
    OPTION(INSTEAD, 0, "list-formats", OPTION_FLAG, NULL, &convert_opt.list_formats,
           "print the formats"),
};

static const tool self = {
    .name = "spmv-convert",
    .operands = "IN [OUT] | --check FILE... | --info FILE... | --spy FILE IN",
    .summary = "Convert a sparse matrix from any input format to any output format",
    .examples = {"spmv-convert web.mtx web.csr", "zcat big.mtx.gz | spmv-convert - big.csr",
                 "spmv-convert --info *.mtx"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
};

/* ---- From one file to another --------------------------------------------------------------- */

/* What only some file formats make use of. */
static void warn_unused(const char *path, const spmv_file_info *info)
{
    static const tool_scope scopes[] = {
        {&convert_opt.duplicates, "--duplicates", " mtx el npz metis dimacs "},
        {&convert_opt.count_repeated, "--count-repeated", " mtx el npz metis dimacs "},
        {&convert_opt.index_base, "--index-base", " mtx el "},
        {&convert_opt.all_ids, "--all-ids", " el "},
        {&convert_opt.skip_invalid, "--skip-invalid", " mtx el "},
        {&convert_opt.trust, "--trust", " binary "},
    };
    tool_warn_scoped(path, info->file_format, scopes, sizeof scopes / sizeof scopes[0]);
    step_warn_graph(path, info, convert_opt.all_ids, &convert_opt.index_base,
                    convert_opt.count_repeated);
}

spmv_status convert_read(spmv_matrix *out, const char *path, bool keep, spmv_file_info *info,
                         spmv_error *err)
{
    const spmv_read_options options = {
        .file_format = convert_opt.from,
        .member = common.member,
        .duplicates = convert_opt.count_repeated ? SPMV_DUPLICATES_COUNT
                                                 : (spmv_duplicates)convert_opt.duplicates,
        .complex_values = (spmv_complex_part)(convert_opt.complex_part + 1),
        .keep_symmetry = keep,
        .index_base = (spmv_index_base)(convert_opt.index_base + 1),
        .all_ids = convert_opt.all_ids,
        .skip_invalid = convert_opt.skip_invalid,
        .strict = convert_opt.strict,
        .trust = convert_opt.trust,
        .threads = (int)common.threads,
        .warn = tool_warn_reader,
        .progress = tool_progress_bytes,
    };
    *info = (spmv_file_info){0};
    tool_phase_begin("read", tool_is_stdio(path) ? "<stdin>" : path);
    spmv_status st = spmv_read(out, path, &options, info, err);
    tool_phase_end(info->bytes);
    if (st == SPMV_SUCCESS) warn_unused(path, info);
    if (st == SPMV_SUCCESS && convert_opt.undirected) st = step_undirected(out, err);
    if (info->skipped > 0)
        tool_warn("%s: left out %" PRId64 " of %" PRId64 " entries, which lie outside the matrix",
                  path, info->skipped, info->entries);
    return st;
}

static spmv_status write_record(const spmv_matrix *A, const char *in, const char *out,
                                const char *format, const spmv_file_info *info, spmv_error *err)
{
    spmv_row_stats stats;
    report *r = NULL;
    spmv_status st = spmv_row_stats_compute(A, &stats, err);
    if (st != SPMV_SUCCESS) return st;
    r = record_create();
    record_matrix(r, in, &stats, A->head.type, A->format);
    report *file = report_object(r, "input");
    report_text(file, "file_format", info->file_format);
    if (info->compression != NULL) report_text(file, "compression", info->compression);
    if (info->member[0] != '\0') report_text(file, "member", info->member);
    report_integer(file, "entries", info->entries);
    report_integer(file, "duplicates", info->duplicates);
    report_integer(file, "skipped", info->skipped);
    if (info->smallest_id >= 0) {
        report_integer(file, "smallest_id", info->smallest_id);
        report_integer(file, "loops", info->loops);
    }
    report *result = report_object(r, "output");
    report_text(result, "file", out);
    report_text(result, "format", format);
    record_host(r);
    record_phases(r);
    st = report_write(r, common.json, err);
    report_destroy(r);
    return st;
}

/* Labels that the output cannot hold, and that go nowhere else. */
static void warn_of_labels(const target *t, const spmv_matrix *A, const spmv_labels *labels)
{
    if (t->file->labels || convert_opt.map != NULL || A->head.rows != A->head.cols) return;
    if (spmv_labels_are_usual(labels)) return;
    tool_warn("nodes are called %" PRId64 " to %" PRId64
              " and a file of the format %s cannot hold that: they count from 1 there; --map FILE "
              "writes what they are called",
              spmv_label_at(labels, 0), spmv_label_at(labels, labels->n - 1), t->file->name);
}

static spmv_status write_map(const spmv_labels *labels, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = common.force, .unchanged = true};
    tool_phase_begin("write", tool_is_stdio(convert_opt.map) ? "<stdout>" : convert_opt.map);
    const spmv_status st = spmv_write_labels(labels, convert_opt.map, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(convert_opt.map) : 0);
    return st;
}

/* The widths of formats that are not written. */
static void check_widths(const target *t)
{
    static const tool_scope scopes[] = {
        {&convert_opt.ell_width, "--ell-width", " ell "},
        {&convert_opt.hyb_width, "--hyb-width", " hyb "},
        {&convert_opt.sell_slice, "--sell-slice", " sell csell "},
        {&convert_opt.sell_window, "--sell-window", " sell csell "},
    };
    tool_refuse_scoped(t->name, scopes, sizeof scopes / sizeof scopes[0]);
}

static spmv_status convert(const char *in, const char *out, spmv_error *err)
{
    spmv_status st;
    spmv_matrix A = {0};
    spmv_file_info info = {0};
    const operands inputs = {1, &in};
    const target t = target_of(out, convert_opt.to, "csr");
    check_widths(&t);
    TOOL_TRY(tool_check_output(out, !t.file->text, &inputs, err));
    if (convert_opt.map != NULL) TOOL_TRY(tool_check_output(convert_opt.map, false, &inputs, err));
    if (common.json != NULL) TOOL_TRY(tool_check_output(common.json, false, &inputs, err));
    TOOL_TRY(convert_read(&A, in, convert_opt.symmetric == SYMMETRIC_KEEP, &info, err));
    tool_phase_begin("convert", t.name);
    if (!convert_opt.trust) st = spmv_own_indices(&A, err);
    if (st == SPMV_SUCCESS && convert_opt.transpose) st = step_before_transpose(&A, err);
    if (st == SPMV_SUCCESS) st = convert_matrix(&A, target_format(&t, &A), in, err);
    tool_phase_end(0);
    step_blame_ids(st, convert_opt.all_ids, err);
    if (st == SPMV_SUCCESS) warn_of_labels(&t, &A, &info.labels);
    if (st == SPMV_SUCCESS) st = target_write(&t, &A, &info.labels, out, err);
    if (st == SPMV_SUCCESS && convert_opt.map != NULL) st = write_map(&info.labels, err);
    if (st == SPMV_SUCCESS && common.json != NULL)
        st = write_record(&A, in, out, t.name, &info, err);
done:
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    return st;
}

/* Where the result goes: the second operand or --output, not both. */
static const char *choose_output(const operands *files)
{
    const char *out = files->count > 1 ? files->word[1] : common.output;
    if (files->count < 1) tool_misuse("the input is missing");
    if (files->count > 2) tool_misuse("one input and one output, not %d files", files->count);
    if (files->count > 1 && common.output != NULL)
        tool_misuse("two outputs: %.80s and --output %.80s", files->word[1], common.output);
    if (out == NULL) out = "-";
    const tool_output outputs[] = {
        {out, "the output"}, {common.json, "--json"}, {convert_opt.map, "--map"}};
    tool_check_apart(outputs, 3);
    const char *map = convert_opt.map;
    const spmv_file_format *format = map == NULL ? NULL : spmv_file_format_of(map);
    if (format != NULL && strcmp(format->name, "el") != 0)
        tool_misuse("--map writes lines of text; %.80s would not be a file of the format %s", map,
                    format->name);
    return out;
}

/* What the ways to use this tool make use of; `conversion` is the one without a name. */
static void check_mode(void)
{
    static const char reading[] = " conversion --check --info --spy ";
    const tool_scope scopes[] = {
        {&convert_opt.from, "--from", reading},
        {&convert_opt.duplicates, "--duplicates", reading},
        {&convert_opt.count_repeated, "--count-repeated", reading},
        {&convert_opt.complex_part, "--complex", reading},
        {&convert_opt.index_base, "--index-base", reading},
        {&convert_opt.all_ids, "--all-ids", reading},
        {&convert_opt.undirected, "--undirected", reading},
        {&convert_opt.skip_invalid, "--skip-invalid", reading},
        {&convert_opt.strict, "--strict", reading},
        {&convert_opt.trust, "--trust", reading},
        {&common.member, "--member", reading},
        {&convert_opt.symmetric, "--symmetric", " conversion --check "},
        {&common.json, "--json", " conversion --info --list-formats "},
        {&convert_opt.values, "--values", " conversion "},
        {&common.precision, "--precision", " conversion "},
        {&convert_opt.transpose, "--transpose", " conversion "},
        {&convert_opt.drop_zeros, "--drop-zeros", " conversion "},
        {&convert_opt.to, "--to", " conversion "},
        {&convert_opt.map, "--map", " conversion "},
        {&common.output, "--output", " conversion "},
        {&convert_opt.ell_width, "--ell-width", " conversion "},
        {&convert_opt.hyb_width, "--hyb-width", " conversion "},
        {&convert_opt.sell_slice, "--sell-slice", " conversion "},
        {&convert_opt.sell_window, "--sell-window", " conversion "},
        {&common.seed, "--seed", ""},
        {&common.device, "--device", ""},
    };
    const char *mode = convert_opt.check          ? "--check"
                       : convert_opt.info         ? "--info"
                       : convert_opt.spy != NULL  ? "--spy"
                       : convert_opt.list_formats ? "--list-formats"
                                                  : "conversion";
    tool_refuse_scoped(mode, scopes, sizeof scopes / sizeof scopes[0]);
    if (option_given(&convert_opt.duplicates) && convert_opt.count_repeated)
        tool_misuse("--duplicates and --count-repeated exclude each other");
    if (option_given(&convert_opt.values) && option_given(&common.precision))
        tool_misuse("--values and --precision exclude each other");
}

int main(int argc, char **argv)
{
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &files);
    const bool spy = convert_opt.spy != NULL;
    if (convert_opt.check + convert_opt.info + spy + convert_opt.list_formats > 1)
        tool_misuse("only one of --check, --info, --spy and --list-formats at a time");
    check_mode();
    if (convert_opt.list_formats) return convert_list();
    if ((convert_opt.check || convert_opt.info) && files.count == 0)
        tool_misuse("no file was named");
    if (spy && files.count != 1) tool_misuse("--spy draws one matrix, not %d", files.count);
    if (convert_opt.check) return convert_check(&files);
    if (spy) return convert_spy(&files, convert_opt.spy);
    if (convert_opt.info) return convert_info(&files);
    const char *out = choose_output(&files);
    return tool_finish(convert(files.word[0], out, &err), &err);
}
