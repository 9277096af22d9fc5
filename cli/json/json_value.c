/* json_value.c -- JSON records, exact: the only file that knows the JSON library.
 *
 * Numbers are handed to it as values and as the text that is to be printed, because it would print
 * reals with 15 digits and 1e15 as 1e+15. */
#include "cli/json/json_value.h"
#include "cli/tool/fail.h"
#include "cli/text/utf8.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bit of cJSON's `type` that the library leaves alone: memory ran out for a member of this. */
enum { INCOMPLETE = 1 << 16 };

/* Takes ownership of item, which is NULL when memory ran out. */
static cJSON *attach(cJSON *parent, const char *key, cJSON *item)
{
    const bool added = item != NULL && parent != NULL &&
                       (key != NULL ? cJSON_AddItemToObject(parent, key, item)
                                    : cJSON_AddItemToArray(parent, item));
    if (added) return item;
    if (parent != NULL) parent->type |= INCOMPLETE;
    cJSON_Delete(item);
    return NULL;
}

report *report_create(void)
{
    return cJSON_CreateObject();
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

char *report_valid_text(const char *text)
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
    char *text = value != NULL ? report_valid_text(value) : NULL;
    if (value == NULL)
        attach(r, key, cJSON_CreateNull());
    else
        attach(r, key, text != NULL ? cJSON_CreateString(text) : NULL);
    free(text);
}

static cJSON *create_number(double value, const char *text)
{
    cJSON *item = cJSON_CreateRaw(text);
    if (item != NULL) item->valuedouble = value;
    return item;
}

void report_integer(report *r, const char *key, int64_t value)
{
    char text[24];
    const bool exact = value >= -(INT64_C(1) << 53) && value <= INT64_C(1) << 53;
    snprintf(text, sizeof text, "%" PRId64, value);
    attach(r, key, exact ? create_number((double)value, text) : cJSON_CreateString(text));
}

const char *report_show_real(double value, char text[REPORT_REAL_SIZE])
{
    int digits = 15;
    do snprintf(text, REPORT_REAL_SIZE, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits <= 17);
    return text;
}

void report_real(report *r, const char *key, double value)
{
    char text[48];
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
    attach(r, key, create_number(value, report_show_real(value, text)));
}

void report_flag(report *r, const char *key, bool value)
{
    attach(r, key, cJSON_CreateBool(value));
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* Numbers get their text, as in a record that was built here. */
static bool fix_numbers(cJSON *item)
{
    bool ok = true;
    if (cJSON_IsNumber(item)) {
        char text[REPORT_REAL_SIZE];
        report_show_real(item->valuedouble, text);
        item->valuestring = cJSON_malloc(strlen(text) + 1);
        ok = item->valuestring != NULL;
        if (ok) memcpy(item->valuestring, text, strlen(text) + 1);
        item->type = (item->type & ~0xff) | cJSON_Raw;
    }
    for (cJSON *child = item->child; child != NULL && ok; child = child->next)
        ok = fix_numbers(child);
    return ok;
}

report *report_parse(const char **text, const char *end)
{
    const size_t length = (size_t)(end - *text) + 1; /* the terminator is a place to stop at, too */
    cJSON *r = cJSON_ParseWithLengthOpts(*text, length, text, false);
    if (r != NULL && fix_numbers(r)) return r;
    cJSON_Delete(r);
    return NULL;
}

const report *report_member(const report *r, const char *path)
{
    char key[64];
    while (r != NULL && path != NULL) {
        const char *dot = strchr(path, '.');
        snprintf(key, sizeof key, "%.*s", (int)(dot != NULL ? dot - path : (int)strlen(path)),
                 path);
        r = cJSON_GetObjectItemCaseSensitive(r, key);
        path = dot != NULL ? dot + 1 : NULL;
    }
    return r;
}

bool report_is_list(const report *r)
{
    return cJSON_IsArray(r);
}

int report_length(const report *array)
{
    return cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
}

const report *report_item(const report *array, int i)
{
    return cJSON_IsArray(array) ? cJSON_GetArrayItem(array, i) : NULL;
}

report *report_take(report *array, int i)
{
    return cJSON_DetachItemFromArray(array, i);
}

const char *report_text_at(const report *r, const char *path)
{
    const cJSON *item = report_member(r, path);
    return cJSON_IsString(item) ? item->valuestring : "";
}

double report_real_at(const report *r, const char *path)
{
    const cJSON *item = report_member(r, path);
    return cJSON_IsRaw(item) ? item->valuedouble : NAN;
}

/* Integers beyond 2^53 are strings; numbers may have an exponent, and anything may be beyond 64
 * bits. */
int64_t report_integer_at(const report *r, const char *path)
{
    const cJSON *item = report_member(r, path);
    if (cJSON_IsString(item)) return strtoll(item->valuestring, NULL, 10);
    const double value = cJSON_IsRaw(item) ? item->valuedouble : 0;
    if (value >= 0x1p63) return INT64_MAX;
    return value > -0x1p63 ? (int64_t)value : INT64_MIN;
}

bool report_flag_at(const report *r, const char *path)
{
    return cJSON_IsTrue(report_member(r, path));
}

/* ---- Printing ------------------------------------------------------------------------------- */

static bool is_complete(const cJSON *item)
{
    bool complete = (item->type & INCOMPLETE) == 0;
    for (const cJSON *child = item->child; child != NULL && complete; child = child->next)
        complete = is_complete(child);
    return complete;
}

char *report_print(const report *r, bool indented)
{
    if (r == NULL || !is_complete(r)) return NULL;
    return indented ? cJSON_Print(r) : cJSON_PrintUnformatted(r);
}

spmv_status report_write(const report *r, const char *path, bool overwrite, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const spmv_write_options options = {.overwrite = overwrite, .unchanged = true};
    char *text = report_print(r, true);
    size_t length;
    if (text == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot build the JSON record");
    /* The document is a line of text like any other: the terminator's place takes the newline. */
    length = strlen(text);
    text[length] = '\n';
    st = spmv_write_bytes(text, length + 1, path, &options, err);
    free(text);
    return st;
}
