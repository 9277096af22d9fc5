/* mtx_text.c -- moving over the lines of a Matrix Market file, and remembering what was met.
 *
 * Blanks are spaces and tabs.  A line ends with LF, CR LF, or (an oddity) CR alone; the last line
 * needs no end.  Comments begin with %. */
#include "mtx.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static bool at_line_end(const unsigned char *p, const unsigned char *end)
{
    return p == end || *p == '\n' || *p == '\r';
}

void spmv__mtx_note(spmv__mtx_text *text, spmv__mtx_oddity oddity, const unsigned char *place)
{
    if (text->count[oddity]++ == 0) text->first[oddity] = place;
}

bool spmv__mtx_fault(spmv__mtx_text *text, const unsigned char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text->message, sizeof text->message, format, args);
    va_end(args);
    text->status = SPMV_ERROR_INVALID_FORMAT;
    text->place = place;
    return false;
}

const unsigned char *spmv__mtx_word_end(const unsigned char *p, const unsigned char *end)
{
    while (!at_line_end(p, end) && !is_blank(*p) && *p != '%') p++;
    return p;
}

const char *spmv__mtx_quote(char out[SPMV__MTX_QUOTE], const unsigned char *p,
                            const unsigned char *end)
{
    static const char hex[] = "0123456789abcdef";
    char *o = out, *last = out + SPMV__MTX_QUOTE - 8; /* room for \xHH and ... */
    for (; p < end && o < last; p++) {
        if (*p >= 0x20 && *p < 0x7f) {
            *o++ = (char)*p;
        } else {
            *o++ = '\\';
            *o++ = 'x';
            *o++ = hex[*p >> 4];
            *o++ = hex[*p & 15];
        }
    }
    strcpy(o, p < end ? "..." : "");
    return out;
}

const char *spmv__mtx_quote_word(char out[SPMV__MTX_QUOTE], const spmv__mtx_text *text)
{
    const unsigned char *end = text->p;
    while (end < text->end && *end == '%') end++;
    return spmv__mtx_quote(out, text->p, spmv__mtx_word_end(end, text->end));
}

void spmv__mtx_skip_blanks(spmv__mtx_text *text)
{
    while (text->p < text->end && is_blank(*text->p)) text->p++;
}

bool spmv__mtx_line_is_over(const spmv__mtx_text *text)
{
    return at_line_end(text->p, text->end) || *text->p == '%';
}

static void skip_comment(spmv__mtx_text *text)
{
    while (!at_line_end(text->p, text->end)) text->p++;
}

/* Over the end of a line, where text->p stands. */
static void skip_line_end(spmv__mtx_text *text)
{
    const unsigned char *p = text->p;
    if (p == text->end) return;
    if (*p == '\r' && p + 1 < text->end && p[1] != '\n')
        spmv__mtx_note(text, SPMV__MTX_LONE_RETURN, p);
    text->p = p + (*p == '\r' && p + 1 < text->end && p[1] == '\n' ? 2 : 1);
}

bool spmv__mtx_finish_line(spmv__mtx_text *text)
{
    spmv__mtx_skip_blanks(text);
    if (!spmv__mtx_line_is_over(text)) return false;
    if (text->p < text->end && *text->p == '%') {
        spmv__mtx_note(text, SPMV__MTX_TRAILING_COMMENT, text->p);
        skip_comment(text);
    }
    skip_line_end(text);
    return true;
}

/* The end-of-file mark of old systems, with nothing but blank lines after it. */
static bool is_final_ctrl_z(const spmv__mtx_text *text)
{
    const unsigned char *p = text->p;
    while (p < text->end && (*p == 0x1a || is_blank(*p) || at_line_end(p, text->end))) p++;
    return *text->p == 0x1a && p == text->end;
}

/* A banner that begins a second matrix is no comment. */
static bool is_comment(const spmv__mtx_text *text, bool in_body)
{
    static const char banner[] = "%%MatrixMarket";
    size_t length = sizeof banner - 1;
    if (*text->p != '%') return false;
    return !in_body || (size_t)(text->end - text->p) < length ||
           strncasecmp((const char *)text->p, banner, length) != 0;
}

bool spmv__mtx_next_content(spmv__mtx_text *text, bool in_body)
{
    while (text->p < text->end) {
        const unsigned char *line = text->p;
        spmv__mtx_skip_blanks(text);
        if (at_line_end(text->p, text->end)) {
            skip_line_end(text);
        } else if (is_comment(text, in_body)) {
            if (in_body)
                spmv__mtx_note(text, SPMV__MTX_LATE_COMMENT, text->p);
            else if (text->p > line)
                spmv__mtx_note(text, SPMV__MTX_INDENTED_COMMENT, text->p);
            skip_comment(text);
            skip_line_end(text);
        } else if (is_final_ctrl_z(text)) {
            spmv__mtx_note(text, SPMV__MTX_CTRL_Z, text->p);
            text->p = text->end;
        } else {
            return true;
        }
    }
    return false;
}
