/* foreign_files.c -- formats that are recognised and not read, with what helps. */
#include "core/base/ascii.h"
#include "formats/file/any_file.h"
#include "formats/text/text.h"

#include <string.h>

/* By how they begin after blank lines and comments; a blank stands for any. */
static const struct {
    const char *begin, *what;
} foreign[] = {
    {"\x89HDF\r\n\x1a\n", "an HDF5 file: `file_format` binsparse reads those that hold a matrix"},
    {"MATLAB 5.0 MAT-file",
     "a MATLAB file: `file_format` mat reads those that hold a sparse matrix"},
    {"MATLAB 7.3 MAT-file",
     "a MATLAB file: `file_format` mat reads those that hold a sparse matrix"},
    {"\xff\xfe",
     "text in UTF-16, which is not supported: `iconv -f UTF-16 -t UTF-8 IN` writes UTF-8"},
    {"\xfe\xff",
     "text in UTF-16, which is not supported: `iconv -f UTF-16 -t UTF-8 IN` writes UTF-8"},
    {"PAR1\x15", "a Parquet file, which is not supported: write its columns as CSV"},
    {"*Vertices ", "a Pajek network, which is not supported: "
                   "`networkx.write_graphml(networkx.read_pajek(IN), OUT)` writes it as GraphML"},
    {"*Network ", "a Pajek network, which is not supported: "
                  "`networkx.write_graphml(networkx.read_pajek(IN), OUT)` writes it as GraphML"},
    {"graph [", "a GML graph, which is not supported: "
                "`networkx.write_graphml(networkx.read_gml(IN), OUT)` writes it as GraphML"},
    {"<gexf ", "a GEXF graph, which is not supported: "
               "`networkx.write_graphml(networkx.read_gexf(IN), OUT)` writes it as GraphML"},
    {"digraph {", "a graph of Graphviz, which is not supported: write its edges as CSV"},
    {"{\"", "JSON, which is not supported: write its edges as CSV"},
    {"{ \"", "JSON, which is not supported: write its edges as CSV"},
    {"[{", "JSON, which is not supported: write its edges as CSV"},
};

/* How lines of those begin that come before: comments, and what programs say of themselves. */
static const char *const before_foreign[] = {"%", "#", "Creator ", "Version ", "<?xml "};

/* By the suffix, of what holds only numbers. */
static const struct {
    const char *suffix, *what;
} foreign_text[] = {
    {".hgr", "a hypergraph of hMETIS, which is not supported"},
    {".adjlist", "an adjacency list, which is not supported: "
                 "`networkx.write_edgelist(networkx.read_adjlist(IN, "
                 "create_using=networkx.DiGraph), OUT)` writes its edges"},
    {".tns", "a tensor of FROSTT, which is not supported"},
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p)) p++;
    return p;
}

/* Returns whether the text begins so, in whatever case; a blank stands for one or more. */
static bool begins(const char *p, const char *end, const char *with)
{
    for (; *with != '\0'; with++) {
        if (p == end) return false;
        if (*with == ' ' && is_blank(*p))
            p = skip_blanks(p, end);
        else if (spmv__small_letter(*p++) != spmv__small_letter(*with))
            return false;
    }
    return true;
}

static bool comes_before_foreign(const char *p, const char *end)
{
    for (size_t i = 0; i < sizeof before_foreign / sizeof before_foreign[0]; i++)
        if (begins(p, end, before_foreign[i])) return true;
    return false;
}

/* Returns where the first line begins that is neither blank nor one of those. */
static const char *skip_before_foreign(const char *p, const char *end)
{
    if (begins(p, end, SPMV__BYTE_ORDER_MARK)) p += strlen(SPMV__BYTE_ORDER_MARK);
    p = skip_blanks(p, end);
    while (comes_before_foreign(p, end)) {
        const char *line = memchr(p, '\n', (size_t)(end - p));
        p = skip_blanks(line != NULL ? line : end, end);
    }
    return p;
}

const char *spmv__find_foreign(const spmv__source *src, const char *path)
{
    char suffix[SPMV_SUFFIX_SIZE];
    const char *data = (const char *)src->data, *end = data + src->size;
    const char *first = skip_before_foreign(data, end);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (begins(first, end, foreign[i].begin)) return foreign[i].what;
    spmv_path_suffix(path, suffix);
    for (size_t i = 0; i < sizeof foreign_text / sizeof foreign_text[0]; i++)
        if (strcmp(suffix, foreign_text[i].suffix) == 0) return foreign_text[i].what;
    return NULL;
}
