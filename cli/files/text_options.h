/* text_options.h -- the options of tools that read delimited text. */
#pragma once

#include "cli/tool/common.h"

typedef struct text_options {
    int header;            /* the number of its word; -1: as it looks */
    const char *delimiter; /* NULL: as it looks */
    const char *columns;   /* NULL: the first ones */
} text_options;

#define TEXT_DEFAULTS \
    {                 \
        .header = -1  \
    }

/* Rows of a table of options, in its group `group_`; `at_` is where the record of the tool has its
 * text_options. */
#define TEXT_OPTIONS(group_, at_)                                                                \
    OPTION(group_, 0, "header", OPTION_CHOICE, "yes|no", (at_) + offsetof(text_options, header), \
           "edge list: the first line names the columns [where it looks so]"),                   \
        OPTION(group_, 0, "delimiter", OPTION_TEXT, "C",                                         \
               (at_) + offsetof(text_options, delimiter),                                        \
               "edge list: the byte between fields, or tab, or blank [as it looks]"),            \
        OPTION(group_, 0, "columns", OPTION_TEXT, "S,T[,W]",                                     \
               (at_) + offsetof(text_options, columns),                                          \
               "edge list: source, target and weight, by number or heading")

/* Tell the reader; ends in misuse where a delimiter cannot be. */
void text_options_apply(const text_options *o, spmv_read_options *options);

/* Warn of those that have no effect on the file at `path`. */
void text_options_warn(const text_options *o, const common_options *common, const char *path,
                       const char *format);
