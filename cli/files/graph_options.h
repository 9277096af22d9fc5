/* graph_options.h -- the options of tools that read graphs, from delimited text or other files. */
#pragma once

#include "cli/tool/common.h"

typedef struct graph_options {
    int header;            /* the number of its word; -1: as it looks */
    const char *delimiter; /* NULL: as it looks */
    const char *columns;   /* NULL: the first ones */
    int index_base;        /* one less than enum spmv_index_base */
    bool undirected, all_ids, count_repeated;
} graph_options;

#define GRAPH_DEFAULTS                 \
    {                                  \
        .header = -1, .index_base = -1 \
    }

/* Rows of a table of options, in its group `group_`; `at_` is where the record of the tool has its
 * graph_options. */
#define GRAPH_OPTIONS(group_, at_)                                                                \
    OPTION(group_, 0, "header", OPTION_CHOICE, "yes|no", (at_) + offsetof(graph_options, header), \
           "edge list: the first line names the columns [where it looks so]"),                    \
        OPTION(group_, 0, "delimiter", OPTION_TEXT, "C",                                          \
               (at_) + offsetof(graph_options, delimiter),                                        \
               "edge list: the byte between fields, or tab, or blank [as it looks]"),             \
        OPTION(group_, 0, "columns", OPTION_TEXT, "S,T[,W]",                                      \
               (at_) + offsetof(graph_options, columns),                                          \
               "edge list: source, target and weight, by number or heading"),                     \
        OPTION(group_, 0, "index-base", OPTION_CHOICE, "0|1",                                     \
               (at_) + offsetof(graph_options, index_base),                                       \
               "what Matrix Market [1] and --all-ids [0] count from"),                            \
        OPTION(group_, 0, "undirected", OPTION_FLAG, NULL,                                        \
               (at_) + offsetof(graph_options, undirected), "take each edge both ways"),          \
        OPTION(group_, 0, "all-ids", OPTION_FLAG, NULL, (at_) + offsetof(graph_options, all_ids), \
               "edge list: every number up to the largest is a node"),                            \
        OPTION(group_, 0, "count-repeated", OPTION_FLAG, NULL,                                    \
               (at_) + offsetof(graph_options, count_repeated),                                   \
               "text: how often an edge without weight is given is its weight")

/* Tell the reader, but for `undirected`, which is up to the tool; ends in misuse where a delimiter
 * cannot be. */
void graph_options_apply(const graph_options *o, spmv_read_options *options);

/* Warn of those that have no effect on the file at `path`. */
void graph_options_warn(const graph_options *o, const common_options *common, const char *path,
                        const spmv_file_info *info);
