/* generate_spec.c -- matrices to generate, as text. */
#include "cli/gen/generate_spec.h"
#include "cli/tool/fail.h"

#include <string.h>

/* The text may set these.  The members after `options` become members of it later. */
typedef struct slots {
    spmv_generate_options options;
    int64_t seed;
    int values, precision; /* -1: not given */
} slots;

#define WORD(member_, name_, kind_, low_, high_, words_)                                      \
    {                                                                                         \
        .name = name_, .kind = kind_, .argument = words_, .offset = offsetof(slots, member_), \
        .low = low_, .high = high_                                                            \
    }
#define WORD_OF(member_, name_, kind_and_limits, words_) \
    WORD(member_, name_, kind_and_limits, words_)
static const option words[] = {
#define X(member, number, name, argument, meaning) \
    WORD_OF(options.member, name, GENERATE_KIND_##number, NULL),
    SPMV_GENERATE_PARAMETERS(X)
#undef X
        WORD(seed, "seed", OPTION_INTEGER, 0, INT64_MAX, NULL),
    WORD(values, "values", OPTION_CHOICE, 0, 0, GENERATE_VALUES),
    WORD(precision, "precision", OPTION_CHOICE, 0, 0, "f32|f64"),
};
enum { WORDS = sizeof words / sizeof words[0], OWN = WORDS - 3 }; /* OWN: those of single kinds */

const char *generate_kind_name(int i)
{
    const spmv_generator *g = spmv_generator_at(i);
    return g == NULL ? NULL : g->name;
}

static spmv_status refuse_option(const spmv_generator *kind, const char *name, spmv_error *err)
{
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s does not take %.60s, only: %s",
                     kind->name, name, kind->uses);
}

spmv_status generate_check(const spmv_generator *kind, const spmv_generate_options *options,
                           spmv_error *err)
{
#define X(member, number, name, argument, meaning)                                         \
    if (options->member != 0 && kind == NULL)                                              \
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,                                 \
                         "--%s is of no use for --like: a twin has the same shape", name); \
    if (options->member != 0 && !spmv_generator_uses(kind, name))                          \
        return refuse_option(kind, name, err);
    SPMV_GENERATE_PARAMETERS(X)
#undef X
    return SPMV_SUCCESS;
}

void generate_set_values(spmv_generate_options *options, int values)
{
    if (values == GENERATE_VALUES_NONE)
        options->type = SPMV_PATTERN;
    else
        options->values = (spmv_generate_values)values;
}

/* Read "name=value", or "value" of the main option. */
static spmv_status set_option(slots *s, const spmv_generator *kind, const char *word,
                              spmv_error *err)
{
    char name[32], shown[48];
    const char *equals = strchr(word, '='), *first = equals != NULL ? word : kind->uses;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(first, "= "), first);
    for (int i = 0; i < WORDS; i++) {
        const option *o = &words[i];
        if (strcmp(o->name, name) != 0 || (i < OWN && !spmv_generator_uses(kind, name))) continue;
        snprintf(shown, sizeof shown, "%s of %s", name, kind->name);
        return option_store(o, (char *)s + o->offset, shown, equals != NULL ? equals + 1 : word,
                            err);
    }
    return refuse_option(kind, name, err);
}

spmv_status generate_parse(const char *spec, const spmv_generator **out,
                           spmv_generate_options *options, spmv_error *err)
{
    static const spmv_type types[] = {SPMV_F32, SPMV_F64};
    slots s = {.options = *options, .seed = -1, .values = -1, .precision = -1};
    char text[256], *rest = text;
    spmv_status st = SPMV_SUCCESS;

    if ((size_t)snprintf(text, sizeof text, "%s", spec) >= sizeof text)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "'%.40s...' is too long for a matrix",
                         spec);
    const char *kind = strsep(&rest, ":");
    const option kind_option = {
        .kind = OPTION_NAME, .names = generate_kind_name, .list = "spmv-gen --list-kinds"};
    TOOL_TRY(option_store(&kind_option, &kind, "kind", kind, err));
    *out = spmv_generator_find(kind);
    while (rest != NULL) TOOL_TRY(set_option(&s, *out, strsep(&rest, ","), err));

    *options = s.options;
    if (s.seed >= 0) options->seed = (uint64_t)s.seed;
    if (s.precision >= 0) options->type = types[s.precision];
    if (s.values >= 0) generate_set_values(options, s.values);
done:
    return st;
}
