/* graph_options.c -- see graph_options.h. */
#include "cli/files/graph_options.h"
#include "cli/files/outputs.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/tool.h"

#include <string.h>

/* The byte that a word stands for, or is. */
static char delimiter_of(const char *word)
{
    static const struct {
        const char *word;
        char byte;
    } words[] = {{"tab", '\t'}, {"\\t", '\t'}, {"blank", ' '}, {"space", ' '}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i].word) == 0) return words[i].byte;
    if (strlen(word) != 1 || strchr("\"\r\n#%", *word) != NULL || (unsigned char)*word >= 0x80 ||
        (*word >= '0' && *word <= '9'))
        tool_misuse("--delimiter takes one byte such as ';', or tab, or blank, not '%.20s'", word);
    return *word;
}

void graph_options_apply(const graph_options *o, spmv_read_options *options)
{
    static const spmv_headings headings[] = {SPMV_HEADINGS_FOUND, SPMV_HEADINGS_YES,
                                             SPMV_HEADINGS_NONE};
    options->headings = headings[o->header + 1];
    options->delimiter = o->delimiter != NULL ? delimiter_of(o->delimiter) : '\0';
    options->columns = o->columns;
    options->index_base = (spmv_index_base)(o->index_base + 1);
    options->all_ids = o->all_ids;
    if (o->count_repeated) options->duplicates = SPMV_DUPLICATES_COUNT;
}

void graph_options_warn(const graph_options *o, const common_options *common, const char *path,
                        const spmv_file_info *info)
{
    /* With --undirected it counts edges that are given both ways, in any format. */
    const void *repeated = o->undirected ? NULL : &o->count_repeated;
    const tool_scope scopes[] = {{&o->header, "--header", " el "},
                                 {&o->delimiter, "--delimiter", " el "},
                                 {&o->columns, "--columns", " el "},
                                 {repeated, "--count-repeated", TOOL_REPEATING_FORMATS},
                                 {&o->index_base, "--index-base", " mtx el "},
                                 {&o->all_ids, "--all-ids", " el "}};
    const char *shown = tool_input_name(path);
    tool_warn_scoped(common, path, info->file_format, scopes, sizeof scopes / sizeof scopes[0]);
    if (option_given(common, &o->index_base) && strcmp(info->file_format, "el") == 0 &&
        !o->all_ids && !info->bipartite)
        tool_warn("%s: --index-base has no effect on an edge list but with --all-ids: its nodes "
                  "are those that it names",
                  shown);
    if (o->count_repeated && info->has_values)
        tool_warn("%s: --count-repeated has no effect on edges with weights, which are added",
                  shown);
}
