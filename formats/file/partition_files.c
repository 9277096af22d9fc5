/* partition_files.c -- files that say which rank has which row: one number a line, as METIS writes
 * them.  Blank lines and comments, which begin with % or #, are passed over as in vectors. */
#include "core/matrix/format.h"
#include "formats/file/any_file.h"
#include "formats/text/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* The number on the next line; false at the end of the text, or with a fault. */
static bool next_rank(spmv__text *text, int ranks, int32_t *out)
{
    int64_t rank;
    if (!spmv__text_next_content(text, false)) return false;
    const unsigned char *place = text->p;
    if (!spmv__text_read_integer(text, "number of a part", &rank)) return false;
    if (rank < 0 || rank >= ranks)
        return spmv__text_fault(text, place, "part %" PRId64 " is outside 0..%d", rank, ranks - 1);
    if (!spmv__text_finish_line(text))
        return spmv__text_fault(text, text->p, "a line of a partition holds one number");
    *out = (int32_t)rank;
    return true;
}

/* Lines beyond the rows are counted, and read as if they had some. */
static spmv_status read_ranks(int32_t *rank_of_row, int64_t rows, int ranks,
                              const spmv__source *src, const spmv_read_options *options,
                              spmv_error *err)
{
    spmv__text text = {.p = src->data, .end = src->data + src->size, .comments = "%#"};
    int64_t n = 0;
    int32_t rank = 0;
    spmv__text_skip_byte_order_mark(&text);
    for (; next_rank(&text, ranks, &rank); n++)
        if (n < rows) rank_of_row[n] = rank;
    if (text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &text, err);
    if (n == rows) return spmv__text_report_oddities(src, &text, options, err);
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                             "the partition is of %" PRId64 " rows, the matrix has %" PRId64, n,
                             rows);
}

spmv_status spmv_read_partition(int32_t **out, const char *path, int64_t rows, int ranks,
                                const spmv_read_options *options, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(path != NULL && rows >= 0 && ranks >= 1, err);
    spmv__source src = {0};
    int32_t *rank_of_row = NULL;
    spmv_status st;
    if (options == NULL) options = &spmv__read_defaults;
    SPMV__TRY(spmv__source_read(&src, path, &spmv__known_files, options, err));
    SPMV__TRY(spmv__alloc(&rank_of_row, rows, sizeof *rank_of_row, "a partition", err));
    SPMV__TRY(read_ranks(rank_of_row, rows, ranks, &src, options, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    *out = rank_of_row;
    rank_of_row = NULL;
done:
    free(rank_of_row);
    spmv__source_close(&src);
    return st;
}
