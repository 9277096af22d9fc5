/* peers.h -- the multiplications of other libraries that this build can measure. */
#pragma once

#include "cli/bench/measure/bench_form.h"
#include "cli/bench/measure/candidates.h"

/* Word i that --peer accepts; NULL at the end. */
const char *bench_peer_name(int i);

/* Add the peers that the options name and that run on the device, or beside it.
 * Errors: UNSUPPORTED (this build has none of that name), OUT_OF_MEMORY. */
spmv_status bench_choose_peers(bench_candidates *out, const bench_options *options, int device,
                               spmv_error *err);

/* Print all peers; returns what main must return. */
int bench_list_peers(void);
