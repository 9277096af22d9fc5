/* pagerank_job.h -- what the parts of spmv-pagerank share. */
#pragma once

#include "cli/files/graph_options.h"

#include <float.h>

/* The words of the options, in the order of their values. */
#define PAGERANK_PRESETS "networkx|gap|cugraph|igraph"
#define PAGERANK_DANGLING "uniform|personalized|drop|self" /* as enum spmv_dangling */
#define PAGERANK_NORMS "l1|linf"                           /* as enum spmv_norm */
#define PAGERANK_ACCELERATIONS "none|extrapolation"
#define PAGERANK_ORDERS "node|score"

enum { PAGERANK_UNSET = -1 };
#define PAGERANK_UNSET_REAL (-DBL_MAX)

typedef struct pagerank_options {
    common_options common;
    /* The graph */
    graph_options graph;
    const char *labels; /* file with the labels of the nodes; NULL: those of the graph */
    bool simple, unweighted, transpose;
    spmv_duplicates duplicates; /* after pagerank_complete */
    /* The ranking; what a convention decides is unset until pagerank_complete. */
    double damping, tolerance;
    int64_t max_iterations;
    int norm, tolerance_mode, dangling, preset;
    int acceleration;
    int route; /* of several processes with a GPU each: spmv_route */
    const char *personalization, *sources, *init; /* NULL: none */
    /* The result */
    int64_t top; /* PAGERANK_UNSET */
    int sort;
    bool history;
    const char *plot; /* NULL: none */
} pagerank_options;

enum { TOLERANCE_ABSOLUTE, TOLERANCE_NETWORKX };
enum { SORT_NODE, SORT_SCORE };

/* Fill in what the command line leaves open: from --as, or else our own conventions. */
void pagerank_complete(pagerank_options *o);

/* Returns whether repeated edges and loops are left out, as --simple or --as says. */
bool pagerank_is_simple(const pagerank_options *o);

/* A graph on its way to a ranking. */
typedef struct pagerank_job {
    const pagerank_options *options;
    const char *path;
    spmv_matrix A;
    spmv_file_info file;               /* with the labels of the nodes */
    spmv_dense personalization, start; /* empty: none */
    int64_t *sources;                  /* [personalization.cols] rows, or NULL */
    double tolerance;                  /* that the residual is held against */
    int device;                        /* asked for, and then used */
    int gpus;                          /* that rank together, with --device all; else 0 */
    spmv_comm *comm;                   /* of several ranks, of which this is one; NULL: alone */
    spmv_part part;                    /* with comm: the rows of this rank; A is a head only ... */
    spmv_row_stats stats;              /* ... and this is what a record says of all rows */
    spmv_pagerank_result result;
    int64_t top;   /* nodes that are shown of each ranking */
    int64_t *best; /* [top x rankings] rows */
} pagerank_job;

/* Read the graph, and what the options say about its nodes. */
spmv_status pagerank_read(pagerank_job *job, spmv_error *err);

/* Returns how many names --sources has, of which some may be in quotes. */
int64_t pagerank_count_sources(const char *text);

/* Read it on all ranks, each some rows; only rank 0 knows what is said about nodes. */
spmv_status pagerank_read_part(pagerank_job *job, spmv_error *err);

/* Take each edge of the graph, or of the rows of all ranks, both ways (undirected.c). */
spmv_status pagerank_make_undirected(pagerank_job *job, spmv_error *err);
spmv_status pagerank_make_part_undirected(pagerank_job *job, spmv_error *err);

/* Rank on the device that was asked for, or on the CPU where any will do; or with all ranks, which
 * then are ready to. */
spmv_status pagerank_rank(pagerank_job *job, const spmv_pagerank_options *config, spmv_error *err);

/* What all ranks but the first do then. */
spmv_status pagerank_follow(pagerank_job *job, spmv_error *err);

spmv_status pagerank_find_top(pagerank_job *job, spmv_error *err);
void pagerank_print_top(const pagerank_job *job);

/* Returns whether this output gets lines, or JSON, by label, rather than a vector. */
bool pagerank_writes_lines(const char *path);

/* Write all scores to the output file, or to standard output when no ranking is wanted there. */
spmv_status pagerank_write_scores(const pagerank_job *job, spmv_error *err);
spmv_status pagerank_write_record(const pagerank_job *job, spmv_error *err);

/* Draw the residuals over the iterations as SVG. */
spmv_status pagerank_write_plot(const pagerank_job *job, const char *path, spmv_error *err);
