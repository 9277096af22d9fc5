/* peers.c -- the multiplications of other libraries that this build can measure. */
#include "cli/bench/peers/peers.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <string.h>

static const spmv_peer none[] = {{0}};
static const spmv_spgemm_method no_methods[] = {{0}};

#if SPMV_HAVE_CUSPARSE
#define CUSPARSE spmv_cusparse_peers, spmv_cusparse_methods
#else
#define CUSPARSE none, no_methods
#endif
#if SPMV_HAVE_GRAPHBLAS
#define GRAPHBLAS spmv_graphblas_peers, spmv_graphblas_methods
#else
#define GRAPHBLAS none, no_methods
#endif
#if SPMV_HAVE_MKL
#define MKL spmv_mkl_peers, spmv_mkl_methods
#else
#define MKL none, no_methods
#endif

static const struct library {
    const char *name;
    const spmv_peer *peers;
    const spmv_spgemm_method *methods;
    const char *summary;
} libraries[] = {
    {"cusparse", CUSPARSE, "NVIDIA cuSPARSE, on the GPU"},
    {"graphblas", GRAPHBLAS, "SuiteSparse:GraphBLAS, on the CPU"},
    {"mkl", MKL, "Intel oneMKL, on the CPU"},
};
enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

bench_peer bench_peer_at(int i)
{
    for (int l = 0; l < LIBRARIES; l++) {
        for (const spmv_peer *p = libraries[l].peers; p->name != NULL; p++)
            if (i-- == 0) return (bench_peer){p->name, p->summary, p->gpu, p, NULL};
        for (const spmv_spgemm_method *m = libraries[l].methods; m->name != NULL; m++)
            if (i-- == 0) return (bench_peer){m->name, m->summary, m->gpu, NULL, m};
    }
    return (bench_peer){0};
}

const char *bench_missing_library(int i, const char **summary)
{
    for (int l = 0; l < LIBRARIES; l++) {
        if (libraries[l].peers != none || i-- > 0) continue;
        *summary = libraries[l].summary;
        return libraries[l].name;
    }
    return NULL;
}

const char *bench_peer_name(int i)
{
    if (i == 0) return "all";
    if (i <= LIBRARIES) return libraries[i - 1].name;
    return bench_peer_at(i - 1 - LIBRARIES).name;
}

/* "all", the library, or its name. */
static bool answers_to(const bench_peer *p, const char *name)
{
    const size_t library = strcspn(p->name, ":");
    return strcmp(name, "all") == 0 || strcmp(name, p->name) == 0 ||
           (strlen(name) == library && strncmp(name, p->name, library) == 0);
}

/* Returns whether a peer does what is measured. */
static bool is_wanted(const bench_peer *p, const bench_options *o)
{
    if (o->op == BENCH_SPGEMM || p->method != NULL)
        return o->op == BENCH_SPGEMM && p->method != NULL;
    return p->peer->spmm == (o->vectors > 1);
}

/* Warn, once, of a word of --peer, as each matrix asks for the same ones. */
static void warn_unfit(const char *name, bool gpu)
{
    static uint64_t told; /* a bit for each word */
    int word = 0;
    while (strcmp(bench_peer_name(word), name) != 0) word++;
    if ((told >> word & 1) == 0)
        tool_warn("peer %s is left out: it does not run on the %s", name, gpu ? "GPU" : "CPU");
    told |= UINT64_C(1) << word;
}

static spmv_status choose(bench_candidates *out, const bench_options *o, const char *name,
                          int device, spmv_error *err)
{
    bench_peer p;
    const bool all = strcmp(name, "all") == 0, gpu = device != SPMV_DEVICE_CPU;
    int found = 0, unfit = 0;
    for (int i = 0; (p = bench_peer_at(i)).name != NULL; i++) {
        if (!answers_to(&p, name) || !is_wanted(&p, o)) continue;
        found++;
        /* A peer on the CPU runs beside a GPU, too, unless the device was named. */
        if (p.gpu ? !gpu : gpu && !common_is_automatic(&o->common)) {
            unfit++;
            continue;
        }
        const bench_candidate s = {.name = p.name,
                                   .peer = p.peer,
                                   .method = p.method,
                                   .device = p.gpu ? device : SPMV_DEVICE_CPU};
        const spmv_status st = bench_add_candidate(out, &s, err);
        if (st != SPMV_SUCCESS) return st;
    }
    if (found == 0 && !all)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED, "this build has no peer %.60s%s", name,
                         o->op == BENCH_SPGEMM ? " for sparse products"
                         : o->vectors > 1      ? " for several vectors"
                                               : "");
    if (found > 0 && found == unfit && !all) warn_unfit(name, gpu);
    return SPMV_SUCCESS;
}

spmv_status bench_choose_peers(bench_candidates *out, const bench_options *o, int device,
                               spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    char name[OPTION_WORD_SIZE];
    const char *rest = o->peers;
    while (st == SPMV_SUCCESS && option_next_word(&rest, name))
        st = choose(out, o, name, device, err);
    return st;
}
