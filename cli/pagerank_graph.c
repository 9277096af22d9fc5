/* pagerank_graph.c -- from a file to a graph, and to what the options say about its nodes. */
#include "pagerank.h"
#include "steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The same both ways already? */
static spmv_status is_undirected(const spmv_matrix *A, bool *out, spmv_error *err)
{
    spmv_structure s;
    const spmv_status st = spmv_structure_of(A, &s, err);
    *out = st == SPMV_SUCCESS && s.equal == A->head.nnz - s.diagonal;
    return st;
}

/* The reader of edge lists has seen to those itself. */
static spmv_status make_undirected(pagerank_job *job, spmv_error *err)
{
    bool already;
    if (strcmp(job->file.file_format, "el") == 0 || job->A.head.rows != job->A.head.cols)
        return SPMV_SUCCESS;
    const spmv_status st = is_undirected(&job->A, &already, err);
    return st != SPMV_SUCCESS || already ? st : step_apply(&job->A, spmv_undirected, err);
}

/* Repeated edges count as often as they are given, in graphs without weights too; there, both ways
 * of an undirected edge are one. */
static spmv_duplicates duplicates_of(const pagerank_options *o)
{
    if (o->simple) return SPMV_DUPLICATES_FIRST;
    return o->undirected || o->unweighted ? SPMV_DUPLICATES_SUM : SPMV_DUPLICATES_COUNT;
}

static spmv_status read_graph(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = &pagerank_opt;
    const spmv_read_options options = {
        .index_base = (spmv_index_base)(o->index_base + 1),
        .undirected = o->undirected,
        .compact = o->compact,
        .duplicates = duplicates_of(o),
    };
    spmv_status st;
    TOOL_TRY(step_read(&job->A, job->path, &options, &job->file, err));
    TOOL_TRY(spmv_own_indices(&job->A, err));
    if (!o->undirected && !o->simple && !o->transpose) return st;
    tool_phase_begin("convert", NULL);
    if (o->undirected) TOOL_TRY(make_undirected(job, err));
    if (o->simple) TOOL_TRY(step_apply(&job->A, spmv_drop_diagonal, err));
    if (o->transpose) TOOL_TRY(step_apply(&job->A, spmv_transpose, err));
    tool_phase_end(0);
done:
    return st;
}

/* The row of the node that the next word of --sources names. */
static spmv_status next_source(const spmv_labels *labels, const char **text, int64_t *row,
                               spmv_error *err)
{
    char *end;
    errno = 0;
    const long long id = strtoll(*text, &end, 10);
    const bool number = end > *text && (*end == ',' || *end == '\0') && errno == 0;
    if (!number)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "--sources takes ids of nodes with commas between, not '%.40s'", *text);
    *row = spmv_label_find(labels, id);
    if (*row < 0)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "--sources: the graph has no node %lld",
                         id);
    *text = *end == ',' ? end + 1 : end;
    return SPMV_SUCCESS;
}

/* A walk that starts anew at one node, for each of the sources. */
static spmv_status take_sources(pagerank_job *job, spmv_error *err)
{
    const char *text = pagerank_opt.sources;
    int64_t n = 1;
    spmv_status st;
    for (const char *p = text; *p != '\0'; p++) n += *p == ',';
    TOOL_TRY(spmv_dense_create(&job->personalization, SPMV_F64, job->A.head.rows, n, err));
    job->sources = calloc((size_t)n, sizeof *job->sources);
    if (job->sources == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold %" PRId64 " sources", n);
    for (int64_t i = 0; i < n; i++) {
        TOOL_TRY(next_source(&job->file.labels, &text, &job->sources[i], err));
        ((double *)job->personalization.data)[i * job->A.head.rows + job->sources[i]] = 1;
    }
done:
    return st;
}

spmv_status pagerank_read(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = &pagerank_opt;
    const spmv_read_options options = {.warn = tool_warn_reader};
    const spmv_labels *labels = &job->file.labels;
    spmv_status st;
    TOOL_TRY(read_graph(job, err));
    if (o->sources != NULL) TOOL_TRY(take_sources(job, err));
    if (o->personalization != NULL)
        TOOL_TRY(
            spmv_read_scores(&job->personalization, o->personalization, labels, &options, err));
    if (o->init != NULL) TOOL_TRY(spmv_read_scores(&job->start, o->init, labels, &options, err));
done:
    return st;
}
