/* boeing_header.c -- the header of a Rutherford-Boeing file.
 *
 *     title (72 bytes), key (8)
 *     lines of: all parts, pointers, rows, values [, right-hand sides]
 *     type, rows, columns, entries, entries of elemental matrices
 *     formats of: pointers, rows, values [, right-hand sides]
 *     [what the right-hand sides are, which is there where they have lines]
 *
 * Numbers are told apart by blanks and not by columns: programs that write C put them anywhere. */
#include "formats/boeing/boeing.h"

#include <string.h>

enum { TITLE = 1024 }; /* bytes of a first line that is looked at as one */

static void skip_line(spmv__text *text)
{
    text->p = spmv__text_line_end(text, text->p);
    spmv__text_finish_line(text);
}

static bool finish_line(spmv__text *text)
{
    char quote[SPMV__TEXT_QUOTE];
    if (spmv__text_finish_line(text)) return true;
    return spmv__text_fault(text, text->p, "'%s' after a complete line of the header",
                            spmv__text_quote_word(quote, text));
}

/* How many lines each part has is in the file twice: only whether there are right-hand sides is
 * taken from here. */
static bool read_lines(spmv__text *text, spmv__boeing_header *header)
{
    static const char *const parts[] = {"number of all lines", "number of lines of pointers",
                                        "number of lines of row indices",
                                        "number of lines of values"};
    int64_t lines;
    for (int i = 0; i < 4; i++)
        if (!spmv__text_read_count(text, parts[i], &lines)) return false;
    if (!spmv__text_read_last_count(text, "number of lines of right-hand sides", &lines))
        return false;
    header->vectors = lines > 0;
    return finish_line(text);
}

/* ---- The type ------------------------------------------------------------------------------- */

static const struct {
    char letter;
    spmv_symmetry symmetry;
} symmetries[] = {{'s', SPMV_SYMMETRIC},
                  {'u', SPMV_GENERAL},
                  {'h', SPMV_HERMITIAN},
                  {'z', SPMV_SKEW},
                  {'r', SPMV_GENERAL}};

enum { SYMMETRIES = sizeof symmetries / sizeof symmetries[0] };

static bool is_type(const char *type)
{
    bool known = false;
    for (int i = 0; i < SYMMETRIES; i++) known = known || symmetries[i].letter == type[1];
    return known && strchr("rcipq", type[0]) != NULL && strchr("ae", type[2]) != NULL;
}

/* The three letters at text->p in lower case; false where there are other ones. */
static bool take_type(spmv__text *text, char type[4])
{
    const unsigned char *end = spmv__text_word_end(text, text->p);
    if (end - text->p != 3) return false;
    for (int i = 0; i < 3; i++) {
        type[i] = (char)(text->p[i] | 0x20);
        if (type[i] < 'a' || type[i] > 'z') return false;
    }
    type[3] = '\0';
    return is_type(type);
}

static bool unsupported(spmv__text *text, const unsigned char *place, const char *type,
                        const char *why)
{
    spmv__text_fault(text, place, "a matrix of the type '%s' is not supported: %s", type, why);
    text->status = SPMV_ERROR_UNSUPPORTED;
    return false;
}

/* What the three letters ask for, and whether there is such a matrix. */
static bool apply_type(spmv__text *text, const unsigned char *place, const char *type,
                       spmv__boeing_header *header)
{
    if (type[2] == 'e')
        return unsupported(text, place, type,
                           "it is a sum of elements, which must be assembled first");
    if (type[0] == 'q') return unsupported(text, place, type, "its values are in another file");
    if (type[0] == 'p' && type[1] == 'z')
        return unsupported(text, place, type, "a pattern has no signs");
    header->field = type[0];
    for (int i = 0; i < SYMMETRIES; i++)
        if (symmetries[i].letter == type[1]) header->symmetry = symmetries[i].symmetry;
    if (header->symmetry == SPMV_HERMITIAN && header->field != 'c') {
        spmv__text_note(text, SPMV__ODD_REAL_HERMITIAN, place);
        header->symmetry = SPMV_SYMMETRIC;
    }
    return true;
}

static bool read_type(spmv__text *text, spmv__boeing_header *header)
{
    const unsigned char *place;
    char type[4], quote[SPMV__TEXT_QUOTE];
    int64_t elemental;
    spmv__text_skip_blanks(text);
    place = text->p;
    if (!take_type(text, type))
        return spmv__text_fault(text, place,
                                "'%s' where the type of the matrix is expected, such as rua",
                                spmv__text_quote_word(quote, text));
    text->p += 3;
    if (!apply_type(text, place, type, header)) return false;
    if (!spmv__text_read_count(text, "number of rows", &header->rows) ||
        !spmv__text_read_count(text, "number of columns", &header->cols) ||
        !spmv__text_read_count(text, "number of entries", &header->nnz) ||
        !spmv__text_read_last_count(text, "number of elemental entries", &elemental) ||
        !finish_line(text))
        return false;
    if (header->symmetry == SPMV_GENERAL || header->rows == header->cols) return true;
    return spmv__text_fault(text, place, "a matrix of the type '%s' has %lld rows and %lld columns",
                            type, (long long)header->rows, (long long)header->cols);
}

/* ---- The whole ------------------------------------------------------------------------------ */

static bool read_formats(spmv__text *text, spmv__boeing_header *header)
{
    static const char *const parts[] = {"pointers", "row indices", "values"};
    const int count = header->field == 'p' ? SPMV__BOEING_VALUES : SPMV__BOEING_PARTS;
    for (int i = 0; i < count; i++) {
        spmv__text_skip_blanks(text);
        if (text->p == text->end || *text->p != '(')
            return spmv__text_fault(text, text->p, "the format of the %s is expected here",
                                    parts[i]);
        const unsigned char *place = text->p;
        if (!spmv__fortran_read_format(text, &header->formats[i])) return false;
        if (i != SPMV__BOEING_VALUES && !header->formats[i].integer)
            return spmv__text_fault(text, place, "the format of the %s is not one of integers",
                                    parts[i]);
    }
    skip_line(text); /* the other formats are of nothing that is read */
    return true;
}

bool spmv__boeing_read_header(spmv__text *text, spmv__boeing_header *header)
{
    *header = (spmv__boeing_header){0};
    skip_line(text);
    if (!read_lines(text, header) || !read_type(text, header) || !read_formats(text, header))
        return false;
    if (header->vectors) skip_line(text);
    return true;
}

/* The first line may be anything, and the first file of a user, too: the three after it may not. */
bool spmv__boeing_recognise(const unsigned char *data, int64_t size)
{
    spmv__text text = {.p = data, .end = data + (size < TITLE ? size : TITLE), .comments = ""};
    spmv__boeing_header header;
    char type[4];
    int64_t counts[3];
    skip_line(&text);
    if (text.p == text.end) return false;
    text.end = data + size;
    if (!read_lines(&text, &header)) return false;
    spmv__text_skip_blanks(&text);
    if (!take_type(&text, type)) return false;
    text.p += 3;
    for (int i = 0; i < 3; i++)
        if (!spmv__text_read_count(&text, "size", &counts[i])) return false;
    skip_line(&text);
    spmv__text_skip_blanks(&text);
    return text.p < text.end && *text.p == '(';
}
