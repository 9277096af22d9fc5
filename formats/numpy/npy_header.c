/* npy_header.c -- the header of a NumPy array: a Python dictionary with three known keys.
 *
 * Nothing is evaluated: the parser knows strings, True and False, and tuples of integers, each
 * where it belongs, and nothing else. */
#include "formats/numpy/npy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

typedef struct literal {
    const char *p, *end;
    spmv__npy *head;
    char *message; /* [128] */
    spmv_status status;
} literal;

/* ---- Words ---------------------------------------------------------------------------------- */

static bool fail(literal *c, spmv_status status, const char *message)
{
    c->status = status;
    snprintf(c->message, 128, "%s", message);
    return false;
}

static void skip_blanks(literal *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n')) c->p++;
}

/* Step over a character if it is the next one. */
static bool accept(literal *c, char wanted)
{
    skip_blanks(c);
    if (c->p == c->end || *c->p != wanted) return false;
    c->p++;
    return true;
}

static bool no_dictionary(literal *c)
{
    return fail(c, SPMV_ERROR_INVALID_FORMAT,
                "has a header that is not a dictionary as NumPy writes it");
}

static bool expect(literal *c, char wanted)
{
    return accept(c, wanted) || no_dictionary(c);
}

static bool accept_word(literal *c, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->p) < length || memcmp(c->p, word, length) != 0) return false;
    c->p += length;
    return true;
}

/* A string without escapes, in either kind of quotes. */
static bool read_string(literal *c, char *out, size_t room)
{
    const char quote = accept(c, '"') ? '"' : '\'';
    if (quote == '\'' && !expect(c, '\'')) return false;
    const char *end = memchr(c->p, quote, (size_t)(c->end - c->p));
    if (end == NULL || (size_t)(end - c->p) >= room)
        return fail(c, SPMV_ERROR_INVALID_FORMAT, "has a header with an endless string");
    memcpy(out, c->p, (size_t)(end - c->p));
    out[end - c->p] = '\0';
    c->p = end + 1;
    return true;
}

/* A length; Python 2 put an L after long ones. */
static bool read_length(literal *c, int64_t *out)
{
    skip_blanks(c);
    if (c->p == c->end || !isdigit((unsigned char)*c->p))
        return fail(c, SPMV_ERROR_INVALID_FORMAT, "has a shape that is not a tuple of lengths");
    for (*out = 0; c->p < c->end && isdigit((unsigned char)*c->p); c->p++) {
        const int digit = *c->p - '0';
        if (*out > (INT64_MAX - digit) / 10)
            return fail(c, SPMV_ERROR_INVALID_FORMAT, "has a length that needs more than 63 bits");
        *out = *out * 10 + digit;
    }
    if (c->p < c->end && *c->p == 'L') c->p++;
    return true;
}

/* ---- Values --------------------------------------------------------------------------------- */

/* What an element may be; of text only what names a format of SciPy. */
static const struct {
    const char *name;
    int size;
} types[] = {{"b1", 1}, {"i1", 1}, {"i2", 2},   {"i4", 4}, {"i8", 8},
             {"u1", 1}, {"u2", 2}, {"u4", 4},   {"u8", 8}, {"f4", 4},
             {"f8", 8}, {"c8", 8}, {"c16", 16}, {"S3", 3}, {"U3", 12}};

/* "<f8": byte order, kind and size. */
static bool understand_type(spmv__npy *head, const char *text)
{
    if (text[0] == '\0' || strchr("<>|", text[0]) == NULL) return false;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(types[k].name, text + 1) == 0) {
            head->kind = text[1];
            head->size = types[k].size;
            head->big_endian = text[0] == '>';
            return true;
        }
    return false;
}

static bool read_type(literal *c)
{
    char text[64], message[128];
    skip_blanks(c);
    if (c->p < c->end && *c->p == '[')
        return fail(c, SPMV_ERROR_UNSUPPORTED, "holds records, not numbers");
    if (!read_string(c, text, sizeof text)) return false;
    if (understand_type(c->head, text)) return true;
    if (strchr(text, 'O') != NULL)
        return fail(c, SPMV_ERROR_UNSUPPORTED,
                    "holds pickled Python objects, which are never loaded");
    for (char *p = text; *p != '\0'; p++)
        if (!isprint((unsigned char)*p)) *p = '?';
    snprintf(message, sizeof message, "holds elements of the type '%s', which is not supported",
             text);
    return fail(c, SPMV_ERROR_UNSUPPORTED, message);
}

static bool read_order(literal *c)
{
    c->head->fortran = accept_word(c, "True");
    return c->head->fortran || accept_word(c, "False") ||
           fail(c, SPMV_ERROR_INVALID_FORMAT, "has a fortran_order that is neither True nor False");
}

static bool read_shape(literal *c)
{
    spmv__npy *head = c->head;
    if (!expect(c, '(')) return false;
    for (head->dims = 0; !accept(c, ')'); head->dims++) {
        if (head->dims == SPMV__NPY_DIMS)
            return fail(c, SPMV_ERROR_UNSUPPORTED, "has more than eight dimensions");
        if (!read_length(c, &head->shape[head->dims])) return false;
        if (accept(c, ',')) continue;
        if (!expect(c, ')')) return false;
        head->dims++;
        return head->dims > 1 ||
               fail(c, SPMV_ERROR_INVALID_FORMAT, "has a shape that is not a tuple");
    }
    return true;
}

static const struct {
    const char *key;
    bool (*read)(literal *c);
} members[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};

enum { MEMBERS = sizeof members / sizeof members[0] };

/* ---- The dictionary ------------------------------------------------------------------------- */

static bool read_member(literal *c, bool seen[MEMBERS])
{
    char key[16];
    if (!read_string(c, key, sizeof key) || !expect(c, ':')) return false;
    for (int i = 0; i < MEMBERS; i++)
        if (strcmp(members[i].key, key) == 0 && !seen[i]) {
            seen[i] = true;
            return members[i].read(c);
        }
    return fail(c, SPMV_ERROR_INVALID_FORMAT, "has a header with a key that NumPy does not use");
}

static bool read_dictionary(literal *c)
{
    bool seen[MEMBERS] = {false};
    if (!expect(c, '{')) return false;
    while (!accept(c, '}')) {
        if (!read_member(c, seen)) return false;
        if (accept(c, ',')) continue;
        if (!expect(c, '}')) return false;
        break;
    }
    skip_blanks(c);
    if (c->p < c->end) return no_dictionary(c);
    for (int i = 0; i < MEMBERS; i++)
        if (!seen[i])
            return fail(c, SPMV_ERROR_INVALID_FORMAT,
                        "has a header without one of descr, fortran_order and shape");
    return true;
}

/* Elements and bytes, as an int64_t; an array without elements may have any other lengths. */
static bool count_elements(literal *c)
{
    spmv__npy *head = c->head;
    int64_t bytes = 0;
    bool fits = true;
    head->count = 1;
    for (int d = 0; d < head->dims; d++)
        if (head->shape[d] == 0) head->count = 0;
    for (int d = 0; d < head->dims && fits && head->count > 0; d++)
        fits = spmv__product(head->count, head->shape[d], &head->count);
    return (fits && spmv__product(head->count, head->size, &bytes)) ||
           fail(c, SPMV_ERROR_INVALID_FORMAT, "has a shape whose size needs more than 63 bits");
}

spmv_status spmv__npy_parse(spmv__npy *out, const char *text, int64_t size, char message[128])
{
    literal c = {.p = text, .end = text + size, .head = out, .message = message};
    memset(out, 0, sizeof *out);
    if (read_dictionary(&c)) count_elements(&c);
    return c.status;
}

/* ---- Writing -------------------------------------------------------------------------------- */

spmv__npy spmv__npy_of_type(spmv_type type)
{
    if (type == SPMV_PATTERN) return (spmv__npy){.kind = 'b', .size = 1};
    return (spmv__npy){.kind = spmv_type_is_complex(type) ? 'c' : 'f',
                       .size = (int)spmv_type_size(type)};
}

/* The text between the brackets of a tuple: "", "3,", "3, 4". */
static void format_shape(char *out, size_t room, const spmv__npy *head)
{
    int n = 0;
    for (int d = 0; d < head->dims; d++)
        n += snprintf(out + n, room - (size_t)n, "%s%" PRId64 "%s", d > 0 ? " " : "",
                      head->shape[d], d == 0 || d + 1 < head->dims ? "," : "");
    out[n] = '\0';
}

int64_t spmv__npy_format(char out[SPMV__NPY_FORMATTED], const spmv__npy *head)
{
    enum { PREFIX = sizeof SPMV__NPY_MAGIC - 1 + 4 }; /* magic, version, length */
    const char order = head->size == 1 || head->kind == 'S' ? '|' : '<';
    char shape[SPMV__NPY_DIMS * 24 + 1];
    format_shape(shape, sizeof shape, head);
    int n = PREFIX + snprintf(out + PREFIX, SPMV__NPY_FORMATTED - PREFIX,
                              "{'descr': '%c%c%d', 'fortran_order': %s, 'shape': (%s), }", order,
                              head->kind, head->size, head->fortran ? "True" : "False", shape);
    while ((n + 1) % SPMV__NPY_ALIGN != 0) out[n++] = ' ';
    out[n++] = '\n';
    memcpy(out, SPMV__NPY_MAGIC, PREFIX - 4);
    out[PREFIX - 4] = 1; /* version 1.0 */
    out[PREFIX - 3] = 0;
    out[PREFIX - 2] = (char)((n - PREFIX) & 0xff);
    out[PREFIX - 1] = (char)((n - PREFIX) >> 8);
    return n;
}
