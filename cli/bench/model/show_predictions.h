/* show_predictions.h -- predictions in the formats of results; each says that they are a model's.
 */
#pragma once

#include "cli/bench/model/prediction.h"

#include <stdio.h>

typedef struct prediction_list {
    prediction *item; /* [count] */
    int count;
} prediction_list;

/* Write all of them, in a format of BENCH_FORMATS: a table and Markdown show each rank of a few,
 * and else the slowest ones; the other formats each rank.  Returns false where there is too little
 * memory. */
typedef bool prediction_writer(const void *list, FILE *out);
extern prediction_writer *const prediction_writers[];

bool prediction_write_json(const void *list, FILE *out);  /* of these: one document, ... */
bool prediction_write_jsonl(const void *list, FILE *out); /* ... and a line for each */
