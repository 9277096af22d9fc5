/* edge_attributes.c -- the attributes of an edge as Python prints a dictionary: {'weight': 4.0}.
 *
 * That is what networkx.write_edgelist writes after the nodes. */
#include "formats/graphs/edge_list.h"

static const unsigned char *skip_spaces(const unsigned char *p, const unsigned char *end)
{
    while (p < end && *p == ' ') p++;
    return p;
}

/* Behind a text in either kind of quotes; NULL: it is not closed. */
static const unsigned char *skip_quoted(const unsigned char *p, const unsigned char *end)
{
    const unsigned char quote = *p++;
    for (; p < end && *p != quote; p++)
        if (*p == '\\' && p + 1 < end) p++;
    return p < end ? p + 1 : NULL;
}

/* Behind a value, which may hold lists and dictionaries: the comma or brace that follows it.  NULL:
 * there is none. */
static const unsigned char *skip_attribute(const unsigned char *p, const unsigned char *end)
{
    int64_t depth = 0;
    while (p < end && (depth > 0 || (*p != ',' && *p != '}'))) {
        if (*p == '\'' || *p == '"') {
            p = skip_quoted(p, end);
            if (p == NULL) return NULL;
            continue;
        }
        depth += memchr("([{", *p, 3) != NULL;
        depth -= memchr(")]}", *p, 3) != NULL;
        p++;
    }
    return p < end ? p : NULL;
}

static bool is_weight(const unsigned char *p, const unsigned char *end)
{
    static const char word[] = "weight";
    return end - p == (int64_t)sizeof word + 1 && memcmp(p + 1, word, sizeof word - 1) == 0;
}

/* A number, also as NumPy prints its own: np.float64(3.5). */
static bool take_weight(spmv__text *text, const unsigned char *p, const unsigned char *end,
                        double *weight)
{
    while (end > p && end[-1] == ' ') end--;
    const unsigned char *open = memchr(p, '(', (size_t)(end - p));
    if (open != NULL && open - p > 3 && memcmp(p, "np.", 3) == 0 && end[-1] == ')') {
        p = open + 1;
        end--;
    }
    return spmv__text_parse_weight(text, p, end, weight);
}

bool spmv__edges_attributes(spmv__text *text, double *weight, bool *weighted)
{
    const unsigned char *begin = text->p, *p = begin + 1;
    const unsigned char *end = spmv__text_line_end(text, begin);
    p = skip_spaces(p, end);
    while (p != NULL && p < end && *p != '}') {
        const unsigned char *key = p;
        p = *p == '\'' || *p == '"' ? skip_quoted(p, end) : NULL;
        const bool weighs = p != NULL && is_weight(key, p);
        if (p != NULL) p = skip_spaces(p, end);
        if (p == NULL || p == end || *p != ':')
            return spmv__text_fault(text, key, "this is not an attribute 'NAME': VALUE");
        const unsigned char *value = skip_spaces(p + 1, end);
        p = skip_attribute(value, end);
        if (p != NULL && weighs && !take_weight(text, value, p, weight)) return false;
        *weighted = *weighted || weighs;
        if (p != NULL && *p == ',') p = skip_spaces(p + 1, end);
    }
    if (p == NULL || p == end)
        return spmv__text_fault(text, begin, "the dictionary of attributes is not closed");
    text->p = p + 1;
    return true;
}
