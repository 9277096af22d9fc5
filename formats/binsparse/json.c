/* json.c -- values in JSON text, looked up in it as it is.
 *
 * The tools use cJSON, but not the library: every program that is linked with it would need cJSON,
 * too, for the sake of one attribute in one kind of file. */
#include "formats/binsparse/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *spmv__json_skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Behind the string that begins at p, or the end of the text. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '\0' && *p != '"'; p++)
        if (*p == '\\' && p[1] != '\0') p++;
    return *p == '"' ? p + 1 : p;
}

/* The comma or bracket after the value at p, or the end of the text. */
static const char *skip_value(const char *p)
{
    for (int64_t depth = 0; *p != '\0';) {
        const bool closes = *p == '}' || *p == ']';
        if (depth == 0 && (closes || *p == ',')) break;
        if (*p == '{' || *p == '[') depth++;
        if (closes) depth--;
        p = *p == '"' ? skip_string(p) : p + 1;
    }
    return p;
}

const char *spmv__json_member(const char *p, const char *name)
{
    const size_t length = strlen(name);
    if (*p != '{') return NULL;
    do {
        const char *key = spmv__json_skip_blanks(p + 1);
        if (*key != '"') return NULL;
        const char *end = skip_string(key);
        p = spmv__json_skip_blanks(end);
        if (*p != ':') return NULL;
        p = spmv__json_skip_blanks(p + 1);
        if ((size_t)(end - key) == length + 2 && strncmp(key + 1, name, length) == 0) return p;
        p = skip_value(p);
    } while (*p == ',');
    return NULL;
}

bool spmv__json_text(const char *p, char *out, size_t size)
{
    if (p == NULL || *p != '"') return false;
    const size_t length = strcspn(p + 1, "\"\\");
    if (p[1 + length] != '"' || length >= size) return false;
    memcpy(out, p + 1, length);
    out[length] = '\0';
    return true;
}

const char *spmv__json_integer(const char *p, int64_t *out)
{
    char *end;
    if (p == NULL || *p < '0' || *p > '9') return NULL;
    errno = 0;
    *out = strtoll(p, &end, 10);
    end += strspn(end, " \t\r\n");
    return errno == 0 && (*end == ',' || *end == ']' || *end == '}') ? end : NULL;
}
