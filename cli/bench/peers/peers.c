/* peers.c -- the multiplications of other libraries that this build can measure. */
#include "cli/bench/peers/peers.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/tool.h"

#include <string.h>

static const spmv_peer none[] = {{0}};

#if SPMV_HAVE_CUSPARSE
#define CUSPARSE spmv_cusparse_peers
#else
#define CUSPARSE none
#endif
#if SPMV_HAVE_GRAPHBLAS
#define GRAPHBLAS spmv_graphblas_peers
#else
#define GRAPHBLAS none
#endif
#if SPMV_HAVE_MKL
#define MKL spmv_mkl_peers
#else
#define MKL none
#endif

static const struct library {
    const char *name;
    const spmv_peer *peers;
    const char *summary;
} libraries[] = {
    {"cusparse", CUSPARSE, "NVIDIA cuSPARSE, on the GPU"},
    {"graphblas", GRAPHBLAS, "SuiteSparse:GraphBLAS, on the CPU"},
    {"mkl", MKL, "Intel oneMKL, on the CPU"},
};
enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

/* Peer i of all libraries; NULL at the end. */
static const spmv_peer *peer_at(int i)
{
    for (int l = 0; l < LIBRARIES; l++)
        for (const spmv_peer *p = libraries[l].peers; p->name != NULL; p++)
            if (i-- == 0) return p;
    return NULL;
}

const char *bench_peer_name(int i)
{
    if (i == 0) return "all";
    if (i <= LIBRARIES) return libraries[i - 1].name;
    const spmv_peer *p = peer_at(i - 1 - LIBRARIES);
    return p != NULL ? p->name : NULL;
}

/* "all", the library, or its name. */
static bool answers_to(const spmv_peer *p, const char *name)
{
    const size_t library = strcspn(p->name, ":");
    return strcmp(name, "all") == 0 || strcmp(name, p->name) == 0 ||
           (strlen(name) == library && strncmp(name, p->name, library) == 0);
}

static spmv_status choose(bench_candidates *out, const bench_options *o, const char *name,
                          int device, spmv_error *err)
{
    const spmv_peer *p;
    const bool all = strcmp(name, "all") == 0, gpu = device != SPMV_DEVICE_CPU;
    int found = 0, unfit = 0;
    for (int i = 0; (p = peer_at(i)) != NULL; i++) {
        if (!answers_to(p, name) || p->spmm != (o->vectors > 1)) continue;
        found++;
        /* A peer on the CPU runs beside a GPU, too, unless the device was named. */
        if (p->gpu ? !gpu : gpu && strcmp(o->common.device, "auto") != 0) {
            unfit++;
            continue;
        }
        const bench_candidate s = {
            .name = p->name, .peer = p, .device = p->gpu ? device : SPMV_DEVICE_CPU};
        const spmv_status st = bench_add_candidate(out, &s, err);
        if (st != SPMV_SUCCESS) return st;
    }
    if (found == 0 && !all)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED, "this build has no peer %.60s%s", name,
                         o->vectors > 1 ? " for several vectors" : "");
    if (found > 0 && found == unfit && !all)
        tool_warn("peer %s is left out: it does not run on the %s", name, gpu ? "GPU" : "CPU");
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

int bench_list_peers(void)
{
    const spmv_peer *p;
    printf("%-18s %-6s %s\n", "Peer", "Device", "What it does");
    for (int i = 0; (p = peer_at(i)) != NULL; i++)
        printf("%-18s %-6s %s\n", p->name, p->gpu ? "gpu" : "cpu", p->summary);
    for (int l = 0; l < LIBRARIES; l++)
        if (libraries[l].peers == none)
            printf("%-18s %-6s %s (not in this build)\n", libraries[l].name, "",
                   libraries[l].summary);
    return tool_finish(SPMV_SUCCESS, NULL);
}
