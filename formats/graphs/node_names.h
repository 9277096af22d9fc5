/* node_names.h -- nodes that are words, numbered in some order while they are met. */
#pragma once

#include "core/base/base.h"

typedef struct spmv__node_names spmv__node_names;

/* Errors: OUT_OF_MEMORY. */
spmv_status spmv__node_names_create(spmv__node_names **out, spmv_error *err);
void spmv__node_names_destroy(spmv__node_names *names); /* NULL is allowed */

/* Ask for the number of the node of that name, a new one where it was not met before.  *number gets
 * it at the latest with spmv__node_names_answer, until when the name must stay where it is. Errors:
 * OUT_OF_MEMORY, once and for all. */
spmv_status spmv__node_names_ask(spmv__node_names *names, const char *name, size_t length,
                                 int64_t *number, spmv_error *err);
spmv_status spmv__node_names_answer(spmv__node_names *names, spmv_error *err);

/* Whether one of them is made of more than digits, signs, points and blanks. */
bool spmv__node_names_have_word(const spmv__node_names *names);

/* All of them in the order of their numbers; the arrays stay with the names, until one is added. */
spmv_labels spmv__node_names_list(const spmv__node_names *names);

/* Number nodes by ascending bytes of their names from now on: *rank [n], which stays with the
 * names, says what a number becomes.  *labels get them.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__node_names_settle(spmv__node_names *names, const int64_t **rank,
                                    spmv_labels *labels, spmv_error *err);
