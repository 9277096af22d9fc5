/* peers.h -- the multiplications of other libraries that this build can measure. */
#pragma once

#include "cli/bench/measure/bench_form.h"
#include "cli/bench/measure/candidates.h"

/* What the products with vectors and the sparse products of other libraries have in common. */
typedef struct bench_peer {
    const char *name, *summary; /* name NULL: there is none */
    bool gpu;
    const spmv_peer *peer;            /* NULL: a method */
    const spmv_spgemm_method *method; /* NULL: y = A x */
} bench_peer;

/* Peer i of all libraries. */
bench_peer bench_peer_at(int i);

/* Library i of those that this build cannot measure; NULL at the end. */
const char *bench_missing_library(int i, const char **summary);

/* Word i that --peer accepts; NULL at the end. */
const char *bench_peer_name(int i);

/* Add the peers that the options name and that run on the device, or beside it.
 * Errors: UNSUPPORTED (this build has none of that name), OUT_OF_MEMORY. */
spmv_status bench_choose_peers(bench_candidates *out, const bench_options *options, int device,
                               spmv_error *err);
