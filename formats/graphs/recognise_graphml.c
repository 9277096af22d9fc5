/* recognise_graphml.c -- telling GraphML from other text. */
#define _GNU_SOURCE /* memmem */
#include "formats/graphs/graphml.h"

#include <string.h>

/* Whether it is there as the name of an element, perhaps in a namespace: "<graphml", "<g:graphml".
 */
static bool has_element(const unsigned char *p, const unsigned char *end)
{
    static const char name[] = "graphml";
    while ((p = memmem(p, (size_t)(end - p), name, sizeof name - 1)) != NULL) {
        if (p[-1] == '<' || p[-1] == ':') return true;
        p += sizeof name - 1;
    }
    return false;
}

bool spmv__graphml_recognise(const unsigned char *data, int64_t size)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    enum { SEARCHED = 4096 }; /* bytes, of a declaration and comments before the element */
    if (size > 3 && memcmp(data, mark, sizeof mark) == 0) {
        data += sizeof mark;
        size -= (int64_t)sizeof mark;
    }
    while (size > 0 && *data != '\0' && strchr(" \t\r\n", *data) != NULL) {
        data++;
        size--;
    }
    if (size == 0 || *data != '<') return false;
    return has_element(data + 1, data + (size < SEARCHED ? size : SEARCHED));
}
