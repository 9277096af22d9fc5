/* text_options.c -- the options of tools that read delimited text. */
#include "cli/files/text_options.h"
#include "cli/files/outputs.h"
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

void text_options_apply(const text_options *o, spmv_read_options *options)
{
    static const spmv_headings headings[] = {SPMV_HEADINGS_FOUND, SPMV_HEADINGS_YES,
                                             SPMV_HEADINGS_NONE};
    options->headings = headings[o->header + 1];
    options->delimiter = o->delimiter != NULL ? delimiter_of(o->delimiter) : '\0';
    options->columns = o->columns;
}

void text_options_warn(const text_options *o, const common_options *common, const char *path,
                       const char *format)
{
    const tool_scope scopes[] = {{&o->header, "--header", " el "},
                                 {&o->delimiter, "--delimiter", " el "},
                                 {&o->columns, "--columns", " el "}};
    tool_warn_scoped(common, path, format, scopes, sizeof scopes / sizeof scopes[0]);
}
