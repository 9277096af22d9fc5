/* machine.h -- the machine of --model: so many ranks, and what its network and memory can do. */
#pragma once

#include "cli/tool/fail.h"

#include <stdint.h>

/* Sending n bytes takes alpha + n / beta seconds. */
typedef struct model_machine {
    int64_t ranks;
    double alpha;     /* seconds */
    double beta;      /* bytes per second, of each rank in each direction */
    double memory;    /* bytes per second that each rank reads */
    bool is_measured; /* the memory is that of the device at hand, and else was given */
} model_machine;

enum { MODEL_RANKS_MOST = 1 << 20 };

/* Read P,ALPHA,BETA[,MEMORY], as in 64,5us,50GB/s,4.3TB/s: a time without a unit is in seconds, a
 * rate in bytes per second.  The memory is 0 where it is not given.
 * Errors: INVALID_ARGUMENT with a sentence that says what would be right. */
spmv_status model_machine_parse(const char *text, model_machine *out, spmv_error *err);
