/* option.c -- reading a command line into the places that the tables name. */
#include "cli/tool/common.h"
#include "cli/tool/fail.h"
#include "cli/text/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_own(const tool *t, const option *shared)
{
    for (int i = 0; i < t->option_count; i++)
        if (strcmp(t->options[i].name, shared->name) == 0) return true;
    return false;
}

static bool is_unused(const tool *t, const char *name)
{
    char word[80];
    snprintf(word, sizeof word, " %s ", name);
    return t->unused != NULL && strstr(t->unused, word) != NULL;
}

const option *option_at(const tool *t, int i)
{
    if (i < t->option_count) return &t->options[i];
    i -= t->option_count;
    for (int k = 0; k < common_table_count; k++)
        if (!is_own(t, &common_table[k]) && !is_unused(t, common_table[k].name) && i-- == 0)
            return &common_table[k];
    return NULL;
}

const char *option_word(const char *words, int i, int *length)
{
    for (; i > 0 && words != NULL; i--) {
        words = strchr(words, '|');
        if (words != NULL) words++;
    }
    if (words != NULL) *length = (int)strcspn(words, "|");
    return words;
}

bool option_next_word(const char **rest, char word[OPTION_WORD_SIZE])
{
    const char *text = *rest;
    if (text == NULL) return false;
    const int length = (int)strcspn(text, ",");
    snprintf(word, OPTION_WORD_SIZE, "%.*s", length, text);
    *rest = text[length] == ',' ? text + length + 1 : NULL;
    return true;
}

/* ---- Values --------------------------------------------------------------------------------- */

static spmv_status refuse_outside(const option *o, const char *shown, const char *text,
                                  spmv_error *err)
{
    if (o->high == INT64_MAX)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "%s must be at least %" PRId64 ", not '%.60s'", shown, o->low, text);
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                     "%s must lie in %" PRId64 "..%" PRId64 ", not '%.60s'", shown, o->low, o->high,
                     text);
}

/* Store the power of 1000 that a suffix stands for.  Returns false when it stands for none. */
static bool suffix_scale(const char *suffix, int64_t *scale)
{
    static const struct {
        const char *text;
        int64_t scale;
    } suffixes[] = {{"", 1}, {"K", 1000}, {"M", 1000000}, {"G", 1000000000}};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        *scale = suffixes[i].scale;
        if (strcmp(suffix, suffixes[i].text) == 0) return true;
    }
    return false;
}

static spmv_status store_integer(const option *o, void *out, const char *shown, const char *text,
                                 spmv_error *err)
{
    char *end;
    int64_t scale, n;
    errno = 0;
    n = strtoll(text, &end, 10);
    /* strtoll would skip leading space: the whole word has to be the number. */
    if (end == text || strchr(" \t\n\v\f\r", text[0]) != NULL || !suffix_scale(end, &scale))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s takes a whole number, not '%.60s'",
                         shown, text);
    if (errno == ERANGE || __builtin_mul_overflow(n, scale, &n))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "%s does not fit 64 bits with a sign: '%.60s'", shown, text);
    if ((o->low != 0 || o->high != 0) && (n < o->low || n > o->high))
        return refuse_outside(o, shown, text, err);
    *(int64_t *)out = n;
    return SPMV_SUCCESS;
}

/* As strtod does, but a number that is too large for a double, or so small that it becomes 0, is
 * none. */
static double read_real(const char *text, char **end)
{
    errno = 0;
    const double v = strtod(text, end);
    if (errno == ERANGE && (isinf(v) || v == 0)) *end = (char *)text;
    return v;
}

static spmv_status store_real(const option *o, void *out, const char *shown, const char *text,
                              spmv_error *err)
{
    char *end;
    const double v = read_real(text, &end);
    if (end == text || *end != '\0' || strchr(" \t\n\v\f\r", text[0]) != NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s takes a number, not '%.60s'", shown,
                         text);
    if ((o->low != 0 || o->high != 0) && !(v >= (double)o->low && v <= (double)o->high))
        return refuse_outside(o, shown, text, err);
    if (o->kind == OPTION_POSITIVE && !(v > 0))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s must be above 0, not '%.60s'", shown,
                         text);
    *(double *)out = v;
    return SPMV_SUCCESS;
}

/* Read the whole of p as an imaginary number: "2i", "-i", "+.5j". */
static bool read_imaginary(const char *p, double *out)
{
    char *end;
    *out = read_real(p, &end);
    if (end == p) {
        *out = *p == '-' ? -1 : 1;
        end += *p == '-' || *p == '+';
    }
    return (*end == 'i' || *end == 'j') && end[1] == '\0';
}

static bool read_complex(const char *text, spmv_scalar *out)
{
    char *end;
    *out = (spmv_scalar){0, 0};
    if (strchr(" \t\n\v\f\r", text[0]) != NULL) return false; /* also the end of the text */
    if (read_imaginary(text, &out->im)) return true;
    out->re = read_real(text, &end);
    out->im = 0;
    if (*end == '\0') return true;
    return end > text && (*end == '+' || *end == '-') && read_imaginary(end, &out->im);
}

static spmv_status store_complex(void *out, const char *shown, const char *text, spmv_error *err)
{
    spmv_scalar value;
    if (!read_complex(text, &value))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "%s takes a number such as 2 or 1+2i, not '%.60s'", shown, text);
    *(spmv_scalar *)out = value;
    return SPMV_SUCCESS;
}

static spmv_status store_choice(const option *o, void *out, const char *shown, const char *text,
                                spmv_error *err)
{
    const char *word;
    int length;
    for (int i = 0; (word = option_word(o->argument, i, &length)) != NULL; i++) {
        if (strlen(text) != (size_t)length || strncmp(text, word, (size_t)length) != 0) continue;
        *(int *)out = i;
        return SPMV_SUCCESS;
    }
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s takes %s, not '%.60s'", shown,
                     o->argument, text);
}

static spmv_status check_name(const option *o, const char *shown, const char *text, spmv_error *err)
{
    suggestion near = {.word = text};
    const char *name;
    for (int i = 0; (name = o->names(i)) != NULL; i++) {
        if (strcmp(name, text) == 0) return SPMV_SUCCESS;
        suggestion_consider(&near, name);
    }
    if (o->meant != NULL && (name = o->meant(text)) != NULL) near.name = name;
    if (near.name != NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "%s: unknown name '%.60s'; did you mean %s?", shown, text, near.name);
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s: unknown name '%.60s'%s%s%s", shown,
                     text, o->list != NULL ? "; " : "", o->list != NULL ? o->list : "",
                     o->list != NULL ? " prints what there is" : "");
}

static spmv_status check_names(const option *o, const char *shown, const char *text,
                               spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    char name[OPTION_WORD_SIZE];
    while (st == SPMV_SUCCESS && option_next_word(&text, name))
        st = check_name(o, shown, name, err);
    return st;
}

static spmv_status add_to_list(option_list *list, int64_t value, const char *shown, spmv_error *err)
{
    int i = 0;
    while (i < list->count && list->value[i] != value) i++;
    if (i == OPTION_LIST_MOST)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s takes %d values at most", shown,
                         OPTION_LIST_MOST);
    list->value[i] = value;
    if (i == list->count) list->count++;
    return SPMV_SUCCESS;
}

/* The list replaces an earlier one, as one value would. */
static spmv_status store_list(const option *o, void *out, const char *shown, const char *text,
                              spmv_error *err)
{
    spmv_status st;
    char word[OPTION_WORD_SIZE];
    option_list list = {0};
    while (option_next_word(&text, word)) {
        int64_t value = 0;
        int choice = 0;
        if (o->kind == OPTION_INTEGERS)
            TOOL_TRY(store_integer(o, &value, shown, word, err));
        else
            TOOL_TRY(store_choice(o, &choice, shown, word, err));
        TOOL_TRY(add_to_list(&list, o->kind == OPTION_INTEGERS ? value : choice, shown, err));
    }
    *(option_list *)out = list;
done:
    return st;
}

static spmv_status store_word(void *out, const char *shown, const char *text, spmv_error *err)
{
    option_words *words = out;
    if (words->count == OPTION_WORDS_MOST)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is given more than %d times", shown,
                         OPTION_WORDS_MOST);
    words->word[words->count++] = text;
    return SPMV_SUCCESS;
}

spmv_status option_store(const option *o, void *out, const char *shown, const char *text,
                         spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)out = true;
        return SPMV_SUCCESS;
    case OPTION_INTEGER:
        return store_integer(o, out, shown, text, err);
    case OPTION_REAL:
    case OPTION_POSITIVE:
        return store_real(o, out, shown, text, err);
    case OPTION_COMPLEX:
        return store_complex(out, shown, text, err);
    case OPTION_CHOICE:
        return store_choice(o, out, shown, text, err);
    case OPTION_NAME:
        st = check_name(o, shown, text, err);
        break;
    case OPTION_NAMES:
        st = check_names(o, shown, text, err);
        break;
    case OPTION_INTEGERS:
    case OPTION_CHOICES:
        return store_list(o, out, shown, text, err);
    case OPTION_WORDS:
        return store_word(out, shown, text, err);
    case OPTION_TEXT:
    case OPTION_FILE:
        if (text[0] == '\0')
            st = tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s got an empty argument", shown);
        break;
    }
    if (st == SPMV_SUCCESS) *(const char **)out = text;
    return st;
}

/* ---- The command line ----------------------------------------------------------------------- */

static size_t offset_of(const common_options *options, const void *member)
{
    return (size_t)((const char *)member - (const char *)options);
}

bool option_given(const common_options *options, const void *member)
{
    const size_t offset = offset_of(options, member);
    int i = 0;
    while (i < options->given_count && options->given[i] != offset) i++;
    return i < options->given_count;
}

/* Returns the member that an option sets, which counts as given from now on. */
static void *give(common_options *options, const option *o)
{
    void *member = (char *)options + o->offset;
    const int room = sizeof options->given / sizeof options->given[0];
    if (!option_given(options, member) && options->given_count < room)
        options->given[options->given_count++] = o->offset;
    return member;
}

typedef struct option_parser {
    const tool *tool;
    int argc, i; /* argv[i] is the word at hand */
    char **argv;
    common_options *options;
} option_parser;

/* Say "unknown option --kernal; did you mean --kernel?" */
static spmv_status refuse_unknown(const option_parser *at, const char *name, spmv_error *err)
{
    suggestion near = {.word = name};
    const option *o;
    if (is_unused(at->tool, name))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "--%s has no use here; see %s --help",
                         name, at->tool->name);
    for (int i = 0; (o = option_at(at->tool, i)) != NULL; i++)
        if (o->help != NULL) suggestion_consider(&near, o->name);
    if (near.name != NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "unknown option --%.60s; did you mean --%s?", name, near.name);
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "unknown option --%.60s; see %s --help",
                     name, at->tool->name);
}

/* Store the argument of an option, which stands after `=` or in the next word. */
static spmv_status take_argument(option_parser *at, const option *o, const char *shown,
                                 const char *text, spmv_error *err)
{
    if (o->kind == OPTION_FLAG && text != NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s takes no argument", shown);
    if (o->kind != OPTION_FLAG && text == NULL) {
        if (at->i + 1 >= at->argc)
            return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s needs an argument: %s", shown,
                             o->argument);
        text = at->argv[++at->i];
    }
    return option_store(o, give(at->options, o), shown, text, err);
}

/* Read --name or --name=value. */
static spmv_status parse_long(option_parser *at, spmv_error *err)
{
    char name[64], shown[72];
    const char *word = at->argv[at->i] + 2, *equals = strchr(word, '=');
    const int length = (int)(equals != NULL ? (size_t)(equals - word) : strlen(word));
    const option *o;

    snprintf(name, sizeof name, "%.*s", length, word);
    snprintf(shown, sizeof shown, "--%s", name);
    for (int i = 0; (o = option_at(at->tool, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0)
            return take_argument(at, o, shown, equals != NULL ? equals + 1 : NULL, err);
    return refuse_unknown(at, name, err);
}

/* Read -k value, -kvalue, or several flags in one word, as in -qv. */
static spmv_status parse_letters(option_parser *at, spmv_error *err)
{
    for (const char *p = at->argv[at->i] + 1; *p != '\0'; p++) {
        const char shown[] = {'-', *p, '\0'};
        const option *o;
        int i = 0;
        while ((o = option_at(at->tool, i)) != NULL && o->letter != *p) i++;
        if (o == NULL)
            return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "unknown option %s; see %s --help",
                             shown, at->tool->name);
        if (o->kind != OPTION_FLAG)
            return take_argument(at, o, shown, p[1] != '\0' ? p + 1 : NULL, err);
        *(bool *)give(at->options, o) = true;
    }
    return SPMV_SUCCESS;
}

spmv_status option_parse(const tool *t, int argc, char **argv, common_options *options,
                         operands *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    option_parser at = {.tool = t, .argc = argc, .i = 1, .argv = argv, .options = options};
    bool options_ended = false;

    *out = (operands){.word = calloc((size_t)argc + 1, sizeof *out->word)};
    if (out->word == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the command line");
    for (; at.i < argc; at.i++) {
        const char *word = argv[at.i];
        if (word[0] == '\0')
            TOOL_TRY(tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "one of the arguments is empty"));
        else if (options_ended || word[0] != '-' || word[1] == '\0')
            out->word[out->count++] = word;
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else if (word[1] == '-')
            TOOL_TRY(parse_long(&at, err));
        else
            TOOL_TRY(parse_letters(&at, err));
    }
done:
    if (st != SPMV_SUCCESS) {
        free(out->word);
        *out = (operands){0};
    }
    return st;
}
