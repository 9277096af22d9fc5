/* bench_variants.c -- the ways to measure: threads, precisions, numbers of vectors. */
#include "cli/bench/bench.h"

/* An empty list stands for one way, the usual one. */
static int ways(const option_list *list)
{
    return list->count > 0 ? list->count : 1;
}

static int64_t way(const option_list *list, int i, int64_t otherwise)
{
    return list->count > 0 ? list->value[i] : otherwise;
}

int bench_variant_count(const bench_options *options)
{
    return ways(&options->thread_counts) * ways(&options->precisions) *
           ways(&options->vector_counts);
}

/* Threads change last: they are what a device is opened with. */
bench_options bench_variant(const bench_options *options, int i)
{
    bench_options o = *options;
    const int vectors = ways(&o.vector_counts), precisions = ways(&o.precisions);
    o.vectors = way(&o.vector_counts, i % vectors, 1);
    o.common.precision = (int)way(&o.precisions, i / vectors % precisions, PRECISION_UNSET);
    o.common.threads = way(&o.thread_counts, i / vectors / precisions, 0);
    return o;
}
