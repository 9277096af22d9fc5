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

/* Read KIND, KIND:VALUE (of the kind's main option) or KIND:OPTION=VALUE,..., where an option is
 * one that the kind uses, seed, values or precision.
 *
 *   options  in: what holds where the text says nothing; out: with what it says
 *
 * Errors: INVALID_ARGUMENT with a sentence that says what would be right. */
spmv_status generate_parse(const char *spec, const spmv_generator **out,
                           spmv_generate_options *options, spmv_error *err);

/* Refuse an option that is set although the kind (NULL: a twin) does not use it. */
spmv_status generate_check(const spmv_generator *kind, const spmv_generate_options *options,
                           spmv_error *err);

/* Set type and values from the words above. */
void generate_set_values(spmv_generate_options *options, int values);
