/* read_graph.c -- from a file to a graph, and to what the options say about its nodes. */
#include "cli/json/rank_stats.h"
#include "cli/pagerank/pagerank_job.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Names that a graph has, and not just numbers from 0 or 1 on, get lost where others take their
 * place. */
static void warn_of_own_labels(const pagerank_job *job, const spmv_labels *given)
{
    const spmv_labels *own = &job->file.labels;
    char first[SPMV_LABEL_SIZE], last[SPMV_LABEL_SIZE];
    const bool numbered = own->name_ptr == NULL && own->id == NULL;
    if (own->n == 0 || (numbered && (own->first == 0 || own->first == 1)) ||
        spmv_labels_equal(own, given))
        return;
    tool_warn("%s: nodes are called %s to %s there; --labels calls them otherwise",
              tool_input_name(job->path), spmv_label_text(own, 0, first),
              spmv_label_text(own, own->n - 1, last));
}

/* Take the labels of a file instead of those that came with the graph. */
static spmv_status take_labels(pagerank_job *job, spmv_error *err)
{
    const spmv_read_options options = {.warn = tool_warn_reader};
    spmv_labels given;
    const spmv_status st =
        spmv_read_labels(&given, job->options->labels, job->A.head.rows, &options, err);
    if (st != SPMV_SUCCESS) return st;
    warn_of_own_labels(job, &given);
    spmv_labels_destroy(&job->file.labels);
    job->file.labels = given;
    return st;
}

/* Make the edges that are ranked of those that were read. */
static spmv_status change_edges(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    spmv_status st = SPMV_SUCCESS;
    tool_phase_begin("convert", NULL);
    if (o->graph.undirected) TOOL_TRY(pagerank_make_undirected(job, err));
    if (o->simple) TOOL_TRY(step_apply(&job->A, spmv_drop_diagonal, err));
    if (o->transpose) TOOL_TRY(step_apply(&job->A, spmv_transpose, err));
done:
    tool_phase_end(0);
    return st;
}

static spmv_read_options read_options(const pagerank_options *o)
{
    spmv_read_options options = {.duplicates = o->duplicates};
    graph_options_apply(&o->graph, &options);
    return options;
}

/* Say what has been read, whether it is a graph, and what its nodes are called. */
static spmv_status name_nodes(pagerank_job *job, spmv_error *err)
{
    graph_options_warn(&job->options->graph, &job->options->common, job->path, &job->file);
    const spmv_status st = step_check_kinds(&job->file, err);
    if (st != SPMV_SUCCESS) return st;
    return job->options->labels != NULL ? take_labels(job, err) : SPMV_SUCCESS;
}

static void blame_graph(const pagerank_job *job, spmv_status st, spmv_error *err)
{
    if (st != SPMV_SUCCESS) tool_blame_input(job->path, err);
}

static spmv_status read_edges_and_labels(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    const spmv_read_options options = read_options(o);
    spmv_status st;
    TOOL_TRY(step_read(&job->A, job->path, &o->common, &options, &job->file, err));
    TOOL_TRY(spmv_own_indices(&job->A, err));
    TOOL_TRY(name_nodes(job, err));
    if (o->graph.undirected || o->simple || o->transpose) st = change_edges(job, err);
done:
    blame_graph(job, st, err);
    return st;
}

/* Copy the next name of --sources, which may be in quotes, unless out is NULL, and move *text
 * after it, NULL after the last; returns its length, or -1 where the list is no list. */
static int64_t next_name(const char **text, char *out)
{
    const char *p = *text;
    int64_t length = 0;
    const bool quoted = *p == '"';
    bool open = quoted;
    for (p += quoted; *p != '\0' && (quoted || *p != ','); p++) {
        if (quoted && *p == '"' && *++p != '"') {
            open = false;
            break;
        }
        if (out != NULL) out[length] = *p;
        length++;
    }
    *text = *p == ',' ? p + 1 : NULL;
    return !open && (*p == '\0' || *p == ',') ? length : -1;
}

/* Find sources[n], the row of the node that the next name of --sources names, and no other of the n
 * before; `name` has room for all of it. */
static spmv_status next_source(const spmv_labels *labels, const char **text, char *name,
                               int64_t *sources, int64_t n, spmv_error *err)
{
    const char *begin = *text;
    const int64_t length = next_name(text, name);
    const int shown = (int)(length < 80 ? length : 80);
    if (length <= 0)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "--sources takes names of nodes separated by commas, not '%.40s'", begin);
    sources[n] = spmv_label_find(labels, name, (size_t)length);
    if (sources[n] < 0)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "--sources: the graph has no node %.*s",
                         shown, name);
    for (int64_t i = 0; i < n; i++)
        if (sources[i] == sources[n])
            return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "--sources has the node %.*s twice",
                             shown, name);
    return SPMV_SUCCESS;
}

int64_t pagerank_count_sources(const char *text)
{
    int64_t n = 1;
    while (next_name(&text, NULL) >= 0 && text != NULL) n++;
    return n;
}

/* Make a walk that starts anew at one node, for each of the sources. */
static spmv_status take_sources(pagerank_job *job, spmv_error *err)
{
    const char *text = job->options->sources;
    char *name = strdup(text);
    spmv_status st;
    if (name == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold the sources");
    const int64_t n = pagerank_count_sources(text);
    TOOL_TRY(spmv_dense_create(&job->personalization, SPMV_F64, job->A.head.rows, n, err));
    job->sources = calloc((size_t)n, sizeof *job->sources);
    if (job->sources == NULL)
        TOOL_TRY(tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold %" PRId64 " sources", n));
    for (int64_t i = 0; i < n; i++) {
        TOOL_TRY(next_source(&job->file.labels, &text, name, job->sources, i, err));
        ((double *)job->personalization.data)[i * job->A.head.rows + job->sources[i]] = 1;
    }
done:
    free(name);
    return st;
}

/* Read what the options say about nodes. */
static spmv_status read_vectors(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    const spmv_read_options options = {.warn = tool_warn_reader};
    const spmv_labels *labels = &job->file.labels;
    spmv_status st = SPMV_SUCCESS;
    if (o->sources != NULL) TOOL_TRY(take_sources(job, err));
    if (o->personalization != NULL)
        TOOL_TRY(spmv_read_scores(&job->personalization, o->personalization, labels, "weight",
                                  &options, err));
    if (o->init != NULL)
        TOOL_TRY(spmv_read_scores(&job->start, o->init, labels, "score", &options, err));
done:
    return st;
}

spmv_status pagerank_read(pagerank_job *job, spmv_error *err)
{
    const spmv_status st = read_edges_and_labels(job, err);
    return st == SPMV_SUCCESS ? read_vectors(job, err) : st;
}

/* ---- Several processes ----------------------------------------------------------------------- */

/* What is known of the whole graph. */
static void take_head(pagerank_job *job)
{
    const spmv_part *part = &job->part;
    job->A = (spmv_matrix){
        .format = SPMV_CSR,
        .head = {.type = part->own.type, .rows = part->rows, .cols = part->cols, .nnz = part->nnz}};
}

static spmv_status transpose_part(pagerank_job *job, spmv_error *err)
{
    spmv_part turned;
    const spmv_status st = spmv_part_transpose(&turned, job->comm, &job->part, err);
    if (st != SPMV_SUCCESS) return st;
    spmv_part_destroy(&job->part);
    job->part = turned;
    return st;
}

/* As change_edges does. */
static spmv_status change_part(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    spmv_status st = SPMV_SUCCESS;
    if (!o->graph.undirected && !o->simple && !o->transpose) return st;
    tool_phase_begin("convert", NULL);
    if (o->graph.undirected) TOOL_TRY(pagerank_make_part_undirected(job, err));
    if (o->simple) TOOL_TRY(spmv_part_drop_diagonal(&job->part, job->comm, err));
    if (o->transpose) TOOL_TRY(transpose_part(job, err));
done:
    tool_phase_end(0);
    return st;
}

/* All ranks read it, and each changes its edges. */
static spmv_status read_shares(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    const spmv_read_options options = read_options(o);
    spmv_status st;
    TOOL_TRY(step_read_part(&job->part, job->comm, job->path, &o->common, SPMV_PARTITION_NNZ,
                            &options, &job->file, err));
    take_head(job);
    st = spmv_comm_rank(job->comm) == 0 ? name_nodes(job, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(job->comm, st, err));
    TOOL_TRY(change_part(job, err));
    take_head(job);
done:
    return st;
}

static spmv_status describe_rows(pagerank_job *job, spmv_error *err)
{
    const spmv_matrix own = {.format = SPMV_CSR, .csr = job->part.own};
    spmv_row_stats stats;
    const spmv_status st =
        spmv_comm_agree(job->comm, spmv_row_stats_compute(&own, &stats, err), err);
    return st == SPMV_SUCCESS ? rank_stats_gather(&job->stats, job->comm, &stats, err) : st;
}

spmv_status pagerank_read_part(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    spmv_status st = read_shares(job, err);
    blame_graph(job, st, err);
    if (st != SPMV_SUCCESS) return st;
    if (o->common.json != NULL) TOOL_TRY(describe_rows(job, err));
    st = spmv_comm_rank(job->comm) == 0 ? read_vectors(job, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(job->comm, st, err));
done:
    return st;
}
