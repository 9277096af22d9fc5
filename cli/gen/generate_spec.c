/* generate_spec.c -- matrices to generate, as text. */
#include "cli/gen/generate_spec.h"
#include "cli/tool/common.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <string.h>

#define WORD(member_, name_, kind_, low_, high_, words_)                        \
    {                                                                           \
        .name = name_, .kind = kind_, .argument = words_,                       \
        .offset = offsetof(generate_words, member_), .low = low_, .high = high_ \
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

enum { SAID_SIZE = 32 };

/* Write down what is said of an option; returns whether anything is. */
static bool write_said(char text[SAID_SIZE], const option *o, const void *value)
{
    const int *word = value;
    const int64_t *n = value;
    const double *x = value;
    int length = 0;
    if (o->kind == OPTION_CHOICE) {
        const char *chosen = option_word(o->argument, *word, &length);
        snprintf(text, SAID_SIZE, "%.*s", length, chosen);
        return *word >= 0;
    }
    if (o->kind == OPTION_INTEGER) {
        snprintf(text, SAID_SIZE, "%lld", (long long)*n);
        return *n >= o->low;
    }
    snprintf(text, SAID_SIZE, "%.15g", *x);
    return *x != 0;
}

static spmv_status store(const option *o, generate_words *said, const spmv_generator *kind,
                         const char *text, spmv_error *err)
{
    char shown[48], before[SAID_SIZE], now[SAID_SIZE];
    void *value = (char *)said + o->offset;
    const bool again = write_said(before, o, value);
    snprintf(shown, sizeof shown, "%s of %s", o->name, kind->name);
    const spmv_status st = option_store(o, value, shown, text, err);
    if (st != SPMV_SUCCESS || !again) return st;
    write_said(now, o, value);
    if (strcmp(before, now) == 0) return SPMV_SUCCESS;
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is given twice, as %s and as %s", shown,
                     before, now);
}

/* Read "name=value", or "value" of the main option. */
static spmv_status set_option(generate_words *said, const spmv_generator *kind, const char *word,
                              spmv_error *err)
{
    char name[32];
    const char *equals = strchr(word, '='), *first = equals != NULL ? word : kind->uses;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(first, "= "), first);
    for (int i = 0; i < WORDS; i++) {
        const option *o = &words[i];
        if (strcmp(o->name, name) != 0 || (i < OWN && !spmv_generator_uses(kind, name))) continue;
        return store(o, said, kind, equals != NULL ? equals + 1 : word, err);
    }
    return refuse_option(kind, name, err);
}

void generate_apply(generate_words *said)
{
    const common_options common = {.precision = said->precision};
    spmv_generate_options *options = &said->options;
    if (said->seed >= 0) options->seed = (uint64_t)said->seed;
    if (options->type != SPMV_PATTERN) options->type = common_precision(&common, options->type);
    if (said->values == GENERATE_VALUES_NONE)
        options->type = SPMV_PATTERN;
    else if (said->values >= 0)
        options->values = (spmv_generate_values)said->values;
}

spmv_status generate_parse(const char *spec, const spmv_generator **out, generate_words *said,
                           spmv_error *err)
{
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
    while (rest != NULL) TOOL_TRY(set_option(said, *out, strsep(&rest, ","), err));
    generate_apply(said);
done:
    return st;
}

void generate_warn(const spmv_generator *kind, const generate_words *said)
{
    const spmv_generate_options *options = &said->options;
    if (said->precision >= 0 && options->type == SPMV_PATTERN)
        tool_warn("precision has no effect without values");
    if (said->values >= 0 && said->values != GENERATE_VALUES_NONE && options->type == SPMV_PATTERN)
        tool_warn("values has no effect on a twin of a matrix without values");
    if (said->seed >= 0 && kind != NULL && !spmv_generator_is_random(kind, options))
        tool_warn("seed has no effect: nothing is random in this %s", kind->name);
}
