/* write_boeing.c -- a matrix as a Rutherford-Boeing file.
 *
 * A matrix with a symmetry is written as the triangle that it stores.  Columns of numbers are as
 * wide as the widest of them needs, with a blank before each, and lines at most 80 bytes long.
 * Values have the fewest digits that read back to the same bits, and always a point: without one
 * Fortran would take digits for decimals. */
#include "core/matrix/value.h"
#include "formats/boeing/boeing.h"
#include "formats/common/file_format.h"
#include "formats/text/digits.h"
#include "formats/text/number.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 80 };

/* Numbers to write: integers of either width, from 0, or parts of values. */
typedef struct number_columns {
    int64_t count;
    int width;
    int per_line;
    const int64_t *wide; /* one of these is not NULL, */
    const int32_t *narrow;
    const double *doubles; /* and the type says whether these are floats */
    const float *floats;
    spmv_type type;
} number_columns;

static number_columns columns_of(int64_t count, int widest)
{
    const int width = widest + 1;
    return (number_columns){.count = count, .width = width, .per_line = LINE / width};
}

static int64_t lines_of(const number_columns *from)
{
    return (from->count + from->per_line - 1) / from->per_line;
}

/* 17. or -1.5E-300; returns the length. */
static int format_real(char *out, double value, spmv_type type)
{
    char text[SPMV__NUMBER_SIZE];
    const int n = spmv__format_number(text, value, type);
    int length = 0;
    bool point = (text[n - 1] | 0x20) > '9'; /* of inf and nan */
    for (int i = 0; i < n; i++) {
        if (text[i] == 'e' && !point) out[length++] = '.';
        point = point || text[i] == '.' || text[i] == 'e';
        out[length++] = text[i] == 'e' ? 'E' : text[i];
    }
    if (!point) out[length++] = '.';
    return length;
}

static int put_index(char *out, int64_t from_zero)
{
    return (int)(spmv__put_integer(out, (uint64_t)from_zero + 1) - out);
}

static int format_part(char *out, const number_columns *from, int64_t i)
{
    if (from->wide != NULL) return put_index(out, from->wide[i]);
    if (from->narrow != NULL) return put_index(out, from->narrow[i]);
    const double value = from->doubles != NULL ? from->doubles[i] : (double)from->floats[i];
    return format_real(out, value, from->type);
}

static char *put_lines(const void *user, int64_t begin, int64_t end, char *out)
{
    const number_columns *from = user;
    char text[SPMV__NUMBER_SIZE + 2];
    for (int64_t line = begin; line < end; line++) {
        const int64_t first = line * from->per_line, left = from->count - first;
        const int64_t n = left < from->per_line ? left : from->per_line;
        for (int64_t i = first; i < first + n; i++) {
            const int length = format_part(text, from, i);
            memset(out, ' ', (size_t)(from->width - length));
            memcpy(out + from->width - length, text, (size_t)length);
            out += from->width;
        }
        *out++ = '\n';
    }
    return out;
}

static int digits_of(int64_t n)
{
    char text[32];
    return (int)(spmv__put_integer(text, (uint64_t)n) - text);
}

/* The values of A, or no columns at all for a pattern. */
static number_columns values_of(const spmv_csc *A)
{
    const int parts = spmv__parts(A->type);
    const bool single = A->type == SPMV_F32 || A->type == SPMV_C64;
    int widest = 1;
    number_columns all = {.count = A->type == SPMV_PATTERN ? 0 : parts * A->nnz,
                          .doubles = single ? NULL : A->val,
                          .floats = single ? A->val : NULL,
                          .type = A->type};
#pragma omp parallel for reduction(max : widest) num_threads(spmv__threads(0))
    for (int64_t i = 0; i < all.count; i++) {
        char text[SPMV__NUMBER_SIZE + 2];
        const int length = format_part(text, &all, i);
        widest = length > widest ? length : widest;
    }
    all.width = widest + 1;
    all.per_line = LINE / all.width;
    return all;
}

/* ---- The header ----------------------------------------------------------------------------- */

static void write_header(spmv__sink *sink, const spmv_csc *A, const number_columns parts[3])
{
    static const char symmetries[] = {
        [SPMV_SYMMETRIC] = 's', [SPMV_SKEW] = 'z', [SPMV_HERMITIAN] = 'h'};
    const char field = A->type == SPMV_PATTERN ? 'p' : spmv_type_is_complex(A->type) ? 'c' : 'r';
    const char symmetry = A->symmetry != SPMV_GENERAL ? symmetries[A->symmetry]
                          : A->rows == A->cols        ? 'u'
                                                      : 'r';
    const int64_t lines[] = {lines_of(&parts[0]), lines_of(&parts[1]), lines_of(&parts[2])};
    char formats[3][24];
    spmv__sink_printf(sink, "%-72s%-8s\n", "Sparse matrix, written by spmv", "spmv");
    spmv__sink_printf(sink, "%14lld %13lld %13lld %13lld\n",
                      (long long)(lines[0] + lines[1] + lines[2]), (long long)lines[0],
                      (long long)lines[1], (long long)lines[2]);
    spmv__sink_printf(sink, "%c%ca%11s %13lld %13lld %13lld %13d\n", field, symmetry, "",
                      (long long)A->rows, (long long)A->cols, (long long)A->nnz, 0);
    for (int i = 0; i < 2; i++)
        snprintf(formats[i], sizeof formats[i], "(%dI%d)", parts[i].per_line, parts[i].width);
    /* The decimals matter to no number that has a point. */
    snprintf(formats[2], sizeof formats[2], "(%dE%d.%d)", parts[2].per_line, parts[2].width,
             parts[2].width > 9 ? parts[2].width - 9 : 0);
    if (field == 'p') formats[2][0] = '\0';
    spmv__sink_printf(sink, "%-16s%-16s%-20s\n", formats[0], formats[1], formats[2]);
}

/* ---- The file ------------------------------------------------------------------------------- */

static spmv_status write_columns(spmv__sink *sink, const spmv_csc *A, spmv_error *err)
{
    number_columns parts[] = {columns_of(A->cols + 1, digits_of(A->nnz + 1)),
                              columns_of(A->nnz, digits_of(A->rows)), values_of(A)};
    spmv_status st = SPMV_SUCCESS;
    parts[0].wide = A->col_ptr;
    parts[1].narrow = A->row_idx;
    write_header(sink, A, parts);
    for (int i = 0; i < 3; i++)
        SPMV__TRY(
            spmv__write_lines(sink, lines_of(&parts[i]), LINE + 1, put_lines, &parts[i], err));
done:
    return st;
}

spmv_status spmv__boeing_write(const spmv_matrix *A, const char *path,
                               const spmv_write_options *options, spmv_error *err)
{
    const spmv_matrix *whole;
    spmv_matrix made = {0};
    spmv__sink *sink = NULL;
    spmv_status st;

    if (A->head.type == SPMV_PATTERN && A->head.symmetry == SPMV_SKEW)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "Rutherford-Boeing has no skew-symmetric matrices without values");
    SPMV__TRY(spmv__prepare_write(&whole, &made, A, true, 1 << SPMV_CSC, options, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(write_columns(sink, &whole->csc, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_destroy(&made);
    return st;
}
