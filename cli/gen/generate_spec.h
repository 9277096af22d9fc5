/* generate_spec.h -- matrices to generate, as text: "stencil27:160", "rmat:scale=22,seed=3". */
#pragma once

#include "cli/tool/option.h"

#define GENERATE_KIND_int64_t OPTION_INTEGER, 1, INT64_MAX
#define GENERATE_KIND_double OPTION_POSITIVE, 0, 0

/* The words of --values, in the order of spmv_generate_values, and one more: no values at all. */
#define GENERATE_VALUES "own|random|ones|none"
enum { GENERATE_VALUES_NONE = SPMV_VALUES_ONES + 1 };

/* Kind i; NULL at the end. */
const char *generate_kind_name(int i);

/* What is said of a matrix to generate. */
typedef struct generate_words {
    spmv_generate_options options; /* sizes are 0 where nothing is said of them */
    int64_t seed;                  /* -1: nothing is said of it, and so with those below */
    int values, precision;
} generate_words;
#define GENERATE_UNSAID .seed = -1, .values = -1, .precision = -1

/* Read KIND, KIND:VALUE (of the kind's main option) or KIND:OPTION=VALUE,..., where an option is
 * one that the kind uses, seed, values or precision.
 *
 *   said  in: what is said already, and the other options that hold; out: with what the text says,
 *         and options as all of it has them
 *
 * Errors: INVALID_ARGUMENT with a sentence that says what would be right; also where something is
 * said twice, and differently. */
spmv_status generate_parse(const char *spec, const spmv_generator **out, generate_words *said,
                           spmv_error *err);

/* Set seed, values and type of the options from what is said of them. */
void generate_apply(generate_words *said);

/* Warn of what is said and has no effect on a matrix of the kind (NULL: a twin). */
void generate_warn(const spmv_generator *kind, const generate_words *said);

/* Refuse an option that is set although the kind (NULL: a twin) does not use it. */
spmv_status generate_check(const spmv_generator *kind, const spmv_generate_options *options,
                           spmv_error *err);
