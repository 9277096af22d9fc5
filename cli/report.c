/* report.c -- JSON records, exact: the only file that knows the JSON library.
 *
 * Numbers are handed to it as text, because it would print reals with 15 digits and keep integers
 * as doubles. */
#include "report.h"
#include "tool.h"
#include "utf8.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool incomplete; /* something could not be allocated */

/* Takes ownership of item, which is NULL when memory ran out. */
static cJSON *attach(cJSON *parent, const char *key, cJSON *item)
{
    const bool added = item != NULL && parent != NULL &&
                       (key != NULL ? cJSON_AddItemToObject(parent, key, item)
                                    : cJSON_AddItemToArray(parent, item));
    if (added) return item;
    incomplete = true;
    cJSON_Delete(item);
    return NULL;
}

report *report_create(void)
{
    cJSON *r = cJSON_CreateObject();
    incomplete = r == NULL;
    return r;
}

void report_destroy(report *r)
{
    cJSON_Delete(r);
}

report *report_object(report *parent, const char *key)
{
    return attach(parent, key, cJSON_CreateObject());
}

report *report_array(report *parent, const char *key)
{
    return attach(parent, key, cJSON_CreateArray());
}

/* A copy of text in which each byte that belongs to no character is U+FFFD. */
static char *valid_utf8(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *copy = malloc(3 * strlen(text) + 1), *p = copy;
    if (copy == NULL) return NULL;
    while (*text != '\0') {
        const int length = utf8_length(text);
        const size_t n = length > 0 ? (size_t)length : 3;
        memcpy(p, length > 0 ? text : replacement, n);
        p += n;
        text += length > 0 ? length : 1;
    }
    *p = '\0';
    return copy;
}

void report_text(report *r, const char *key, const char *value)
{
    char *text = value != NULL ? valid_utf8(value) : NULL;
    if (value == NULL)
        attach(r, key, cJSON_CreateNull());
    else
        attach(r, key, text != NULL ? cJSON_CreateString(text) : NULL);
    free(text);
}

void report_integer(report *r, const char *key, int64_t value)
{
    char text[24];
    const bool exact = value >= -(INT64_C(1) << 53) && value <= INT64_C(1) << 53;
    snprintf(text, sizeof text, "%" PRId64, value);
    attach(r, key, exact ? cJSON_CreateRaw(text) : cJSON_CreateString(text));
}

void report_real(report *r, const char *key, double value)
{
    char text[48];
    int digits = 15;
    if (!isfinite(value)) {
        attach(r, key, cJSON_CreateNull());
        snprintf(text, sizeof text, "%.24s is %s", key != NULL ? key : "a value",
                 isnan(value) ? "NaN"
                 : value > 0  ? "infinite"
                              : "minus infinite");
        if (key != NULL && cJSON_GetObjectItemCaseSensitive(r, "error") == NULL)
            report_text(r, "error", text);
        return;
    }
    do snprintf(text, sizeof text, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits <= 17);
    attach(r, key, cJSON_CreateRaw(text));
}

void report_flag(report *r, const char *key, bool value)
{
    attach(r, key, cJSON_CreateBool(value));
}

spmv_status report_write(const report *r, const char *path, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const spmv_write_options options = {.overwrite = common.force};
    char *text = incomplete ? NULL : cJSON_Print(r);
    size_t length;
    if (text == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot build the JSON record");
    /* The document is a line of text like any other: the terminator's place takes the newline. */
    length = strlen(text);
    text[length] = '\n';
    st = spmv_write_bytes(text, length + 1, path, &options, err);
    cJSON_free(text);
    return st;
}
