/* preset.c -- conventions of ranking: ours, and those of others by name.
 *
 * networkx   nx.pagerank of a DiGraph: the tolerance is one for each node; the last weight counts
 * gap        the GAP benchmark suite, pr: loops, repeated edges and weights count for nothing, the
 *            score of dangling nodes is lost
 * cugraph    cugraph.pagerank, of a graph that has an edge once
 * igraph     PRPACK, which solves to about 1e-10 and knows no limit; an edge may be there twice */
#include "cli/pagerank/pagerank_job.h"

static const struct convention {
    double tolerance;
    int tolerance_mode;
    int max_iterations;
    spmv_dangling dangling;
    bool unweighted, simple;
    spmv_duplicates duplicates;
} ours = {1e-6, TOLERANCE_ABSOLUTE, 100, SPMV_DANGLING_UNIFORM, false, false, SPMV_DUPLICATES_SUM},
  presets[] = {/* in the order of PAGERANK_PRESETS */
               {1e-6, TOLERANCE_NETWORKX, 100, SPMV_DANGLING_PERSONALIZED, false, false,
                SPMV_DUPLICATES_LAST},
               {1e-4, TOLERANCE_ABSOLUTE, 20, SPMV_DANGLING_DROP, true, true,
                SPMV_DUPLICATES_FIRST},
               {1e-5, TOLERANCE_ABSOLUTE, 100, SPMV_DANGLING_PERSONALIZED, false, false,
                SPMV_DUPLICATES_FIRST},
               {1e-10, TOLERANCE_ABSOLUTE, 100000, SPMV_DANGLING_PERSONALIZED, false, false,
                SPMV_DUPLICATES_COUNT}};

static const struct convention *convention_of(const pagerank_options *o)
{
    return o->preset == PAGERANK_UNSET ? &ours : &presets[o->preset];
}

bool pagerank_is_simple(const pagerank_options *o)
{
    return o->simple || convention_of(o)->simple;
}

void pagerank_complete(pagerank_options *o)
{
    const struct convention *c = convention_of(o);
    if (o->damping == PAGERANK_UNSET_REAL) o->damping = 0.85;
    if (o->tolerance == PAGERANK_UNSET_REAL) o->tolerance = c->tolerance;
    if (o->tolerance_mode == PAGERANK_UNSET) o->tolerance_mode = c->tolerance_mode;
    if (o->max_iterations == PAGERANK_UNSET) o->max_iterations = c->max_iterations;
    if (o->dangling == PAGERANK_UNSET) o->dangling = (int)c->dangling;
    o->unweighted = o->unweighted || c->unweighted;
    o->simple = pagerank_is_simple(o);
    o->duplicates = c->duplicates;
    if (o->simple) o->duplicates = SPMV_DUPLICATES_FIRST;
    if (o->graph.count_repeated) o->duplicates = SPMV_DUPLICATES_COUNT;
}
