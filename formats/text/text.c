/* text.c -- moving over the lines of a text, and remembering what was met.
 *
 * Blanks are spaces and tabs.  A line ends with LF, CR LF, or (an oddity) CR alone; the last line
 * needs no end. */
#include "core/base/ascii.h"
#include "formats/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static bool at_comment(const spmv__text *text, const unsigned char *p)
{
    return p < text->end && *p != '\0' && strchr(text->comments, *p) != NULL;
}

void spmv__text_note(spmv__text *text, spmv__oddity oddity, const unsigned char *place)
{
    if (text->count[oddity]++ == 0) text->first[oddity] = place;
}

bool spmv__text_fault(spmv__text *text, const unsigned char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text->message, sizeof text->message, format, args);
    va_end(args);
    text->status = SPMV_ERROR_INVALID_FORMAT;
    text->place = place;
    return false;
}

const unsigned char *spmv__text_word_end(const spmv__text *text, const unsigned char *p)
{
    while (!spmv__text_line_ends(text, p) && !is_blank(*p) && !at_comment(text, p) &&
           (*p != text->separator || *p == '\0'))
        p++;
    return p;
}

const char *spmv__text_quote(char out[SPMV__TEXT_QUOTE], const unsigned char *p,
                             const unsigned char *end)
{
    static const char hex[] = "0123456789abcdef";
    char *o = out, *last = out + SPMV__TEXT_QUOTE - 8; /* room for \xHH and ... */
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

const char *spmv__text_quote_word(char out[SPMV__TEXT_QUOTE], const spmv__text *text)
{
    const unsigned char *end = text->p;
    while (at_comment(text, end)) end++;
    return spmv__text_quote(out, text->p, spmv__text_word_end(text, end));
}

void spmv__text_skip_blanks(spmv__text *text)
{
    while (text->p < text->end && is_blank(*text->p)) text->p++;
}

bool spmv__text_line_is_over(const spmv__text *text)
{
    return spmv__text_line_ends(text, text->p) || at_comment(text, text->p);
}

void spmv__text_skip_byte_order_mark(spmv__text *text)
{
    if (text->end - text->p < 3 || memcmp(text->p, SPMV__BYTE_ORDER_MARK, 3) != 0) return;
    spmv__text_note(text, SPMV__ODD_BYTE_ORDER_MARK, text->p);
    text->p += 3;
}

/* Over the end of a line, where text->p stands. */
static void skip_line_end(spmv__text *text)
{
    const unsigned char *p = text->p;
    if (p == text->end) return;
    if (*p == '\r' && p + 1 < text->end && p[1] != '\n')
        spmv__text_note(text, SPMV__ODD_LONE_RETURN, p);
    text->p = p + (*p == '\r' && p + 1 < text->end && p[1] == '\n' ? 2 : 1);
}

bool spmv__text_finish_line(spmv__text *text)
{
    spmv__text_skip_blanks(text);
    if (!spmv__text_line_is_over(text)) return false;
    if (at_comment(text, text->p)) {
        spmv__text_note(text, SPMV__ODD_TRAILING_COMMENT, text->p);
        text->p = spmv__text_line_end(text, text->p);
    }
    skip_line_end(text);
    return true;
}

/* The end-of-file mark of old systems, with nothing but blank lines after it. */
static bool is_final_ctrl_z(const spmv__text *text)
{
    const unsigned char *p = text->p;
    while (p < text->end && (*p == 0x1a || is_blank(*p) || spmv__text_line_ends(text, p))) p++;
    return *text->p == 0x1a && p == text->end;
}

/* A banner that begins a second matrix is no comment. */
static bool is_comment(const spmv__text *text, bool in_body)
{
    static const char banner[] = "%%MatrixMarket";
    size_t length = sizeof banner - 1;
    if (!at_comment(text, text->p)) return false;
    return !in_body || (size_t)(text->end - text->p) < length ||
           !spmv__alike(text->p, banner, length);
}

bool spmv__text_next_content(spmv__text *text, bool in_body)
{
    while (text->p < text->end) {
        const unsigned char *line = text->p;
        spmv__text_skip_blanks(text);
        if (spmv__text_line_ends(text, text->p)) {
            skip_line_end(text);
        } else if (is_comment(text, in_body)) {
            if (in_body)
                spmv__text_note(text, SPMV__ODD_LATE_COMMENT, text->p);
            else if (text->p > line)
                spmv__text_note(text, SPMV__ODD_INDENTED_COMMENT, text->p);
            const unsigned char *comment = text->p;
            text->p = spmv__text_line_end(text, text->p);
            if (text->comment != NULL) text->comment(text->user, comment, text->p);
            skip_line_end(text);
        } else if (is_final_ctrl_z(text)) {
            spmv__text_note(text, SPMV__ODD_CTRL_Z, text->p);
            text->p = text->end;
        } else {
            return true;
        }
    }
    return false;
}
