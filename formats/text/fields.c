/* fields.c -- the fields of a line: where each begins and ends. */
#include "core/base/ascii.h"
#include "formats/text/fields.h"
#include "formats/text/number.h"

#include <ctype.h>

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t';
}

/* Whether this byte surrounds fields: a tab does not where it separates them. */
static bool surrounds(unsigned char c, char delimiter)
{
    return c == ' ' || (c == '\t' && delimiter != '\t');
}

/* Among words a comment begins after a blank; between other delimiters, only at the start. */
static bool begins_comment(char delimiter, const unsigned char *p)
{
    return delimiter == ' ' && (*p == '#' || *p == '%');
}

bool spmv__fields_are_closed_by(const unsigned char *p, const unsigned char *end, int fields)
{
    if (p == end || *p != '{') return false;
    do p++;
    while (p < end && *p == ' ');
    return fields >= 2 || p == end || memchr("\"'}\r\n", *p, 5) != NULL;
}

char spmv__fields_delimiter(const spmv__text *text)
{
    static const char delimiters[] = "\t;|,";
    bool met[sizeof delimiters] = {false}, quoted = false, within = false;
    int fields = 0; /* that ended, whatever separates them */
    for (const unsigned char *p = text->p; !spmv__text_line_ends(text, p); p++) {
        const char *found = *p != '\0' ? strchr(delimiters, *p) : NULL;
        const bool apart = !quoted && (found != NULL || is_space(*p));
        if (!quoted && !within && spmv__fields_are_closed_by(p, text->end, fields)) break;
        if (*p == '"') quoted = !quoted;
        if (found != NULL && !quoted) met[found - delimiters] = true;
        fields += within && apart;
        within = !apart;
    }
    for (int i = 0; delimiters[i] != '\0'; i++)
        if (met[i]) return delimiters[i];
    return ' ';
}

void spmv__fields_begin(spmv__text *text, char delimiter, const unsigned char *first)
{
    if (delimiter == ' ') return;
    while (text->p > first && is_space(text->p[-1])) text->p--;
    while (text->p < text->end && surrounds(*text->p, delimiter)) text->p++;
}

/* The quotation mark that ends a field, from after the first one; NULL: the line has none. *escaped
 * is set where some stand twice, which stand for one. */
static const unsigned char *quoted_end(const spmv__text *text, const unsigned char *p,
                                       bool *escaped)
{
    for (; !spmv__text_line_ends(text, p); p++) {
        if (*p != '"') continue;
        if (p + 1 == text->end || p[1] != '"') return p;
        *escaped = true;
        p++;
    }
    return NULL;
}

/* The rest of a field in quotes, from after the first of them. */
static bool take_quoted(spmv__text *text, char delimiter, spmv__field *out)
{
    const unsigned char *open = text->p - 1, *p = quoted_end(text, text->p, &out->escaped);
    if (p == NULL) return spmv__text_fault(text, open, "these quotes are not closed");
    out->p = text->p;
    out->quoted = true;
    out->end = p++;
    while (p < text->end && surrounds(*p, delimiter)) p++;
    text->p = p;
    const bool blank = delimiter == ' ' && p > out->end + 1;
    if (spmv__text_line_ends(text, p) || blank || *p == (unsigned char)delimiter) return true;
    return spmv__text_fault(text, p, "there is text after the closing quote");
}

bool spmv__field_take(spmv__text *text, char delimiter, spmv__field *out)
{
    const unsigned char *p = text->p, *end = text->end;
    const unsigned char stop = (unsigned char)delimiter;
    *out = (spmv__field){.p = p, .end = p};
    if (p < end && *p == '"') {
        text->p = p + 1;
        return take_quoted(text, delimiter, out);
    }
    if (delimiter == ' ')
        while (p < end && ' ' < *p) p++;
    else
        while (p < end && *p != stop && *p != '\n' && *p != '\r') p++;
    while (delimiter == ' ' && p < end && !is_space(*p) && !spmv__text_line_ends(text, p)) p++;
    text->p = p;
    while (p > out->p && surrounds(p[-1], delimiter)) p--;
    out->end = p;
    return true;
}

/* The same without quotes; false where there are some, or too many fields. */
static bool pass_quickly(spmv__text *text, char delimiter, int most, int *n)
{
    const unsigned char *p = text->p, *end = spmv__text_line_end(text, p);
    int64_t more = 0;
    if (memchr(p, '"', (size_t)(end - p)) != NULL) return false;
    if (delimiter != ' ')
        for (; p < end; p++) more += *p == (unsigned char)delimiter;
    if (*n + more > most) return false;
    *n += (int)more;
    text->p = end;
    return true;
}

bool spmv__fields_pass(spmv__text *text, char delimiter, int most, int *n)
{
    const unsigned char *p = text->p;
    bool begins = *n == 0; /* a field, where no blank is */
    *n += begins;
    if (pass_quickly(text, delimiter, most, n)) return true;
    for (; !spmv__text_line_ends(text, p) && *n <= most; p++) {
        if (begins && *p == '"') {
            bool escaped;
            const unsigned char *open = p;
            p = quoted_end(text, p + 1, &escaped);
            if (p == NULL) return spmv__text_fault(text, open, "these quotes are not closed");
        }
        const bool apart = delimiter == ' ' ? is_space(*p) : *p == (unsigned char)delimiter;
        *n += apart && delimiter != ' ';
        begins = apart || (begins && surrounds(*p, delimiter));
    }
    text->p = p;
    return true;
}

bool spmv__field_next(spmv__text *text, char delimiter)
{
    const unsigned char *p = text->p;
    if (delimiter != ' ') {
        if (spmv__text_line_ends(text, p)) return false;
        p++;
    }
    while (p < text->end && surrounds(*p, delimiter)) p++;
    text->p = p;
    return delimiter != ' ' || !(spmv__text_line_ends(text, p) || begins_comment(delimiter, p));
}

bool spmv__fields_find(const spmv__text *text, char delimiter, const unsigned char *first,
                       int index, spmv__field *out)
{
    spmv__text line = *text;
    spmv__fields_begin(&line, delimiter, first);
    for (int f = 0; spmv__field_take(&line, delimiter, out); f++) {
        if (f == index) return true;
        if (!spmv__field_next(&line, delimiter)) return false;
    }
    return false;
}

int spmv__fields_count(const spmv__text *text, char delimiter, const unsigned char *first,
                       bool *dictionary)
{
    spmv__text line = *text;
    spmv__field field;
    int n = 0;
    *dictionary = false;
    spmv__fields_begin(&line, delimiter, first);
    while (spmv__field_take(&line, delimiter, &field)) {
        *dictionary = !field.quoted && n <= 2 && spmv__fields_are_closed_by(field.p, text->end, n);
        if (*dictionary || n++ == SPMV__FIELDS_MOST || !spmv__field_next(&line, delimiter)) break;
    }
    return n;
}

/* Whether it is made of digits, points and signs, behind a point also with an exponent, as programs
 * print numbers: 1E5 may be a name. */
static bool is_numeral(const spmv__field *field)
{
    bool digits = false, point = false, exponent = false;
    for (const unsigned char *p = field->p; p < field->end; p++) {
        const bool begins_exponent = (*p | 0x20) == 'e' && digits && point && !exponent;
        if (!begins_exponent && (*p == '\0' || strchr("+-.0123456789", *p) == NULL)) return false;
        digits = digits || (*p >= '0' && *p <= '9');
        point = point || *p == '.';
        exponent = exponent || begins_exponent;
    }
    return digits;
}

bool spmv__field_is_integer(const spmv__field *field, const unsigned char **end)
{
    const unsigned char *p = field->p;
    bool negative;
    uint64_t magnitude;
    *end = field->end;
    while (*end > p && (*end)[-1] == '0') --*end;
    if (*end == p || (*end)[-1] != '.')
        *end = field->end;
    else
        --*end;
    return spmv__text_parse_integer(p, *end, &negative, &magnitude);
}

bool spmv__field_is_number(const spmv__field *field)
{
    double value;
    const char *end = (const char *)field->end;
    return spmv__parse_number((const char *)field->p, end, &value) == end;
}

bool spmv__field_is_decimal(const spmv__field *field)
{
    const int first = field->p < field->end ? *field->p | 0x20 : 'a';
    return is_numeral(field) || ((first < 'a' || first > 'z') && spmv__field_is_number(field));
}

bool spmv__field_is_padded(const spmv__field *field)
{
    const unsigned char *p = field->p, *end;
    const bool plus = p < field->end && *p == '+';
    if (p < field->end && (plus || *p == '-')) p++;
    return (plus || (field->end - p > 1 && *p == '0' && isdigit(p[1]))) &&
           spmv__field_is_integer(field, &end);
}

bool spmv__field_may_be_id(const spmv__field *field)
{
    const unsigned char *end;
    if (!is_numeral(field) || spmv__field_is_padded(field)) return false;
    return field->quoted ? spmv__field_is_integer(field, &end) : spmv__field_is_number(field);
}

bool spmv__field_equals(const spmv__field *field, const char *word, size_t length)
{
    return (size_t)(field->end - field->p) == length && spmv__alike(field->p, word, length);
}

int64_t spmv__field_copy(const spmv__field *field, char *out)
{
    char *o = out;
    for (const unsigned char *p = field->p; p < field->end; p++) {
        *o++ = (char)*p;
        p += field->escaped && *p == '"';
    }
    return o - out;
}
