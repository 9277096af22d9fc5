/* machine.c -- see machine.h. */
#include "cli/bench/model/machine.h"
#include "cli/tool/option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* It is size / parts, one of them 1 and both exact: so 5us is 5e-6 to the last bit. */
typedef struct model_unit {
    const char *name;
    double size, parts;
} model_unit;

static const model_unit times[] = {{"", 1, 1},     {"s", 1, 1},    {"ms", 1, 1e3},
                                   {"us", 1, 1e6}, {"ns", 1, 1e9}, {NULL, 0, 0}};
static const model_unit rates[] = {{"", 1, 1},       {"B/s", 1, 1},    {"kB/s", 1e3, 1},
                                   {"MB/s", 1e6, 1}, {"GB/s", 1e9, 1}, {"TB/s", 1e12, 1},
                                   {"kB", 1e3, 1},   {"MB", 1e6, 1},   {"GB", 1e9, 1},
                                   {"TB", 1e12, 1},  {NULL, 0, 0}};

/* A finite number, 0 or more, and one of the units. */
static bool read_quantity(const char *text, const model_unit *units, double *out)
{
    char *end;
    const double number = strtod(text, &end);
    if (end == text || strchr(" \t\n\v\f\r", text[0]) != NULL) return false;
    while (units->name != NULL && strcmp(units->name, end) != 0) units++;
    if (units->name == NULL) return false;
    *out = number * units->size / units->parts;
    return isfinite(*out) && *out >= 0;
}

static bool read_rate(const char *text, double *out)
{
    return read_quantity(text, rates, out) && *out > 0;
}

static spmv_status store(model_machine *m, int i, const char *word, spmv_error *err)
{
    static const option ranks = {
        .kind = OPTION_INTEGER, .argument = "P", .low = 1, .high = MODEL_RANKS_MOST};
    if (i == 0) return option_store(&ranks, &m->ranks, "P of --model", word, err);
    if (i == 1 && !read_quantity(word, times, &m->alpha))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "ALPHA of --model is a time such as 5us, not '%.60s'", word);
    if (i == 2 && !read_rate(word, &m->beta))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "BETA of --model is a rate such as 25GB/s, not '%.60s'", word);
    if (i == 3 && !read_rate(word, &m->memory))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "MEMORY of --model is a rate such as 4.3TB/s, not '%.60s'", word);
    return SPMV_SUCCESS;
}

spmv_status model_machine_parse(const char *text, model_machine *out, spmv_error *err)
{
    enum { LEAST = 3, MOST = 4 };
    const char *rest = text;
    char word[OPTION_WORD_SIZE];
    int count = 0;
    *out = (model_machine){0};
    while (option_next_word(&rest, word)) {
        const spmv_status st = store(out, count++, word, err);
        if (st != SPMV_SUCCESS) return st;
    }
    if (count >= LEAST && count <= MOST) return SPMV_SUCCESS;
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                     "--model takes P,ALPHA,BETA[,MEMORY] as in 64,5us,50GB/s, not '%.60s'", text);
}
