/* spmv_gen.c -- spmv-gen: matrices for tests and measurements. */
#include "cli/gen/generate_spec.h"
#include "cli/files/outputs.h"
#include "cli/files/target.h"
#include "cli/json/record.h"
#include "cli/tool/fail.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

typedef struct gen_options {
    common_options common;
    spmv_generate_options size;
    int values; /* a word of GENERATE_VALUES */
    const char *like, *to;
    bool list_kinds;
} gen_options;

#define AT(member) offsetof(gen_options, member)
#define SIZE "Size and shape, as far as the kind uses them"
#define MATRIX "Matrix"
#define INSTEAD "Instead of a kind"
#define ROW(kind_, low_, high_, name_, argument_, member_, help_) \
    OPTION(SIZE, 0, name_, kind_, argument_, AT(size.member_), help_, .low = low_, .high = high_),
#define ROW_OF(kind_and_limits, ...) ROW(kind_and_limits, __VA_ARGS__)
static const option table[] = {
#define X(member, number, name, argument, meaning) \
    ROW_OF(GENERATE_KIND_##number, name, argument, member, meaning)
    SPMV_GENERATE_PARAMETERS(X)
#undef X
        OPTION(MATRIX, 0, "values", OPTION_CHOICE, GENERATE_VALUES, AT(values),
               "own: those of the problem, or random [own]"),
    OPTION(MATRIX, 0, "to", OPTION_NAME, "FMT", AT(to), "output format [by suffix; mtx]",
           .names = target_name, .list = "spmv-convert --list-formats"),
    OPTION(INSTEAD, 0, "like", OPTION_FILE, "FILE", AT(like),
           "a twin of the matrix in FILE: the same rows"),
    OPTION(INSTEAD, 0, "list-kinds", OPTION_FLAG, NULL, AT(list_kinds),
           "print the kinds, their options and defaults, or with --json a record of them"),
};

static const tool self = {
    .name = "spmv-gen",
    .operands = "KIND[:OPTION=VALUE,...] | --like FILE",
    .operand_names = generate_kind_name,
    .summary = "Write a matrix for tests and measurements, the same on every machine",
    .examples = {"spmv-gen stencil27 --grid 100 -o poisson.mtx",
                 "spmv-gen rmat:scale=20,seed=3 --precision f32 -o graph.csr",
                 "spmv-gen --like web.mtx -o twin.mtx"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
    .unused = " device ",
};

/* ---- The kinds ------------------------------------------------------------------------------ */

/* Those that a kind does not have, or that follow from others, are 0 or enormous. */
static bool has_default(double value)
{
    return value != 0 && value < 1e9;
}

static void print_kind(const spmv_generator *g)
{
    printf("%-12s %s\n%12s", g->name, g->summary, "");
#define X(member, number, name, argument, meaning)                                                 \
    if (spmv_generator_uses(g, name)) {                                                            \
        printf(" --" name);                                                                        \
        if (has_default((double)g->defaults.member)) printf(" %.15g", (double)g->defaults.member); \
    }
    SPMV_GENERATE_PARAMETERS(X)
#undef X
    putchar('\n');
}

static void record_kind(report *r, const spmv_generator *g)
{
    report_text(r, "name", g->name);
    report_text(r, "summary", g->summary);
    report_flag(r, "symmetric", g->symmetric);
    report *options = report_array(r, "options"), *defaults = report_object(r, "defaults");
#define X(member, number, name, argument, meaning)                   \
    if (spmv_generator_uses(g, name)) {                              \
        report_text(options, NULL, name);                            \
        if (has_default((double)g->defaults.member))                 \
            report_real(defaults, name, (double)g->defaults.member); \
    }
    SPMV_GENERATE_PARAMETERS(X)
#undef X
}

static spmv_status list_kinds(const gen_options *o, spmv_error *err)
{
    report *r = o->common.json != NULL ? record_create() : NULL;
    report *all = r != NULL ? report_array(r, "kinds") : NULL;
    spmv_status st = SPMV_SUCCESS;
    const spmv_generator *g;
    for (int i = 0; (g = spmv_generator_at(i)) != NULL; i++)
        if (r != NULL)
            record_kind(report_object(all, NULL), g);
        else
            print_kind(g);
    if (r != NULL) st = report_write(r, o->common.json, o->common.force, err);
    report_destroy(r);
    return st;
}

/* ---- One matrix ----------------------------------------------------------------------------- */

/* What the command line says of a matrix that has values of this type where it says no other. */
static generate_words said_of(const gen_options *o, spmv_type type)
{
    const common_options *common = &o->common;
    generate_words said = {.options = o->size, GENERATE_UNSAID};
    said.precision = common->precision;
    said.options.type = type;
    said.options.seed = (uint64_t)common->seed;
    if (option_given(common, &common->seed)) said.seed = common->seed;
    if (option_given(common, &o->values)) said.values = o->values;
    return said;
}

/* Sets seed to the one that was used: the words of a kind may say it. */
static spmv_status make_kind(spmv_matrix *out, uint64_t *seed, const gen_options *o,
                             const char *spec, spmv_error *err)
{
    const spmv_generator *kind;
    generate_words said = said_of(o, SPMV_F64);
    spmv_status st = generate_parse(spec, &kind, &said, err);
    if (st == SPMV_SUCCESS) st = generate_check(kind, &said.options, err);
    if (st != SPMV_SUCCESS) return st;

    generate_warn(kind, &said);
    *seed = said.options.seed;
    tool_phase_begin("generate", kind->name);
    st = spmv_generate(&out->csr, kind->name, &said.options, err);
    out->format = SPMV_CSR;
    tool_phase_end(0);
    return st;
}

static spmv_status make_twin(spmv_matrix *out, const gen_options *o, spmv_error *err)
{
    spmv_matrix A = {0};
    spmv_status st;
    TOOL_TRY(generate_check(NULL, &o->size, err));
    TOOL_TRY(step_read(&A, o->like, &o->common, NULL, NULL, err));
    TOOL_TRY(spmv_own_indices(&A, err));
    generate_words said = said_of(o, A.head.type);
    generate_apply(&said);
    generate_warn(NULL, &said);
    tool_phase_begin("generate", "twin");
    st = spmv_generate_like(&out->csr, &A, &said.options, err);
    out->format = SPMV_CSR;
    tool_phase_end(0);
done:
    spmv_destroy(&A);
    return st;
}

static spmv_status write_generator_record(const gen_options *o, uint64_t seed, const spmv_matrix *A,
                                          const char *path, const char *kind, spmv_error *err)
{
    spmv_row_stats stats;
    spmv_status st = spmv_row_stats_compute(A, &stats, err);
    if (st != SPMV_SUCCESS) return st;
    report *r = record_create();
    record_matrix(r, path, &stats, A->head.type, A->format);
    report_text(r, "kind", kind);
    report_integer(r, "seed", (int64_t)seed);
    record_host(r);
    record_phases(r);
    st = report_write(r, o->common.json, o->common.force, err);
    report_destroy(r);
    return st;
}

static spmv_status generate_file(const gen_options *o, const operands *kinds, const char *out,
                                 spmv_error *err)
{
    const char *like = o->like;
    const operands inputs = {like != NULL, &like};
    const tool_target t = target_of(out, o->to, "mtx");
    uint64_t seed = (uint64_t)o->common.seed;
    spmv_matrix A = {0};
    spmv_status st;

    if (out != NULL) TOOL_TRY(tool_check_output(out, !t.file->text, o->common.force, &inputs, err));
    TOOL_TRY(tool_check_side_output(o->common.json, &o->common, &inputs, err));
    TOOL_TRY(o->like != NULL ? make_twin(&A, o, err)
                             : make_kind(&A, &seed, o, kinds->word[0], err));
    TOOL_TRY(target_convert(&t, &A, err));
    TOOL_TRY(target_write(&t, &A, NULL, out, o->common.force, err));
    if (o->common.json != NULL)
        st = write_generator_record(o, seed, &A, out != NULL ? out : "-",
                                    o->like != NULL ? "like" : kinds->word[0], err);
done:
    spmv_destroy(&A);
    return st;
}

static void check_generator_usage(const gen_options *o, const operands *kinds, const char *out)
{
    const tool_scope scopes[] = {
        {&o->common.member, "--member", " --like "},
        {&o->common.from, "--from", " --like "},
    };
    const tool_output outputs[] = {{out, "the matrix"}, {o->common.json, "--json"}};
    tool_refuse_scoped(&o->common, o->like != NULL ? "--like" : "a generator", scopes,
                       sizeof scopes / sizeof scopes[0]);
    if (o->like != NULL && kinds->count > 0)
        tool_misuse("a kind and --like are mutually exclusive");
    if (o->like == NULL && kinds->count == 0) tool_misuse("the kind is missing; see --list-kinds");
    if (kinds->count > 1) tool_misuse("one matrix is generated at a time, not %d", kinds->count);
    tool_check_apart(outputs, 2);
}

int main(int argc, char **argv)
{
    gen_options options = {.common = COMMON_DEFAULTS};
    operands kinds;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &options.common, &kinds);
    const char *out = common_output(&options.common);
    if (options.list_kinds) {
        tool_check_listing("--list-kinds", &options.common, &kinds);
        return tool_finish(list_kinds(&options, &err), &err);
    }
    check_generator_usage(&options, &kinds, out);
    return tool_finish(generate_file(&options, &kinds, out, &err), &err);
}
