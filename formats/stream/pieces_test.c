/* pieces_test.c -- the text of a source in pieces, plain and unpacked by a thread. */
#include "formats/stream/feed.h"
#include "formats/file/any_file.h"
#include "formats/stream/text_stream_test.h"

/* A text of about `size` bytes in lines of 1 to 300 bytes, all of them different. */
static bytes make_text(size_t size, const char *line_end)
{
    bytes text = {malloc(size + 400), 0};
    cr_assert_not_null(text.data);
    for (int i = 0; text.size < size; i++) {
        char *line = (char *)text.data + text.size;
        int length = sprintf(line, "%d", i), wanted = (i * 7919) % 300;
        while (length < wanted) line[length++] = (char)('a' + i % 26);
        strcpy(line + length, line_end);
        text.size += (size_t)length + strlen(line_end);
    }
    return text;
}

/* A source over `packed`, seen through its compression. */
static spmv__source open_packed(bytes packed)
{
    spmv__source src = {.name = "text", .data = packed.data, .size = (int64_t)packed.size};
    spmv_error err;
    cr_assert_eq(spmv__source_unpack(&src, &spmv__known_files, &(spmv_read_options){0}, &err),
                 SPMV_SUCCESS, "%s", err.message);
    return src;
}

/* Bytes of so many blocks and a half. */
static size_t blocks(size_t n)
{
    return n * SPMV__BLOCK_SIZE + SPMV__BLOCK_SIZE / 2;
}

/* The pieces are the text, in order, and end where lines end; returns how many there were. */
static int assert_pieces(spmv__source *src, bytes text, char line_end)
{
    spmv__piece piece;
    spmv_error err;
    int64_t at = 0;
    int n = 0;
    for (;; n++) {
        cr_assert_eq(spmv__source_next(src, &piece, &err), SPMV_SUCCESS, "%s", err.message);
        const int64_t size = piece.end - piece.begin;
        if (size == 0) break;
        cr_assert_eq(piece.offset, at);
        cr_assert_leq(at + size, (int64_t)text.size);
        cr_assert_eq(memcmp(piece.begin, text.data + at, (size_t)size), 0, "piece %d", n);
        at += size;
        if (at < (int64_t)text.size) cr_assert_eq(piece.end[-1], line_end, "piece %d", n);
        spmv__source_release(src, &piece);
    }
    cr_assert_eq(at, (int64_t)text.size);
    cr_assert_eq(spmv__source_next(src, &piece, &err), SPMV_SUCCESS);
    cr_assert_eq(piece.begin, piece.end, "nothing comes after the end");
    return n;
}

Test(pieces, of_plain_text)
{
    bytes text = make_text(blocks(2), "\n");
    spmv__source src = {.name = "text", .data = text.data, .size = (int64_t)text.size};
    cr_assert_eq(assert_pieces(&src, text, '\n'), 3);
    cr_assert_eq(spmv__source_rewind(&src, NULL), SPMV_SUCCESS);
    cr_assert_eq(assert_pieces(&src, text, '\n'), 3);
    cr_assert_eq(src.data, text.data);
    free(text.data);
}

Test(pieces, of_packed_text)
{
    static const char *const line_ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 3; i++) {
        bytes text = make_text(blocks(10), line_ends[i]);
        bytes packed = pack_gzip(text.data, text.size);
        spmv__source src = open_packed(packed);
        char last = line_ends[i][strlen(line_ends[i]) - 1];
        cr_assert_eq(assert_pieces(&src, text, last), 11);
        cr_assert_eq(spmv__source_rewind(&src, NULL), SPMV_SUCCESS);
        cr_assert_eq(assert_pieces(&src, text, last), 11);
        spmv__source_close(&src);
        free(packed.data);
        free(text.data);
    }
}

Test(pieces, when_the_text_ends_with_a_block)
{
    bytes text = make_text(3 * (size_t)SPMV__BLOCK_SIZE, "\n");
    text.size = 2 * (size_t)SPMV__BLOCK_SIZE;
    bytes packed = pack_gzip(text.data, text.size);
    spmv__source src = open_packed(packed);
    assert_pieces(&src, text, '\n');
    spmv__source_close(&src);
    free(packed.data);
    free(text.data);
}

Test(pieces, several_are_released_in_any_order)
{
    bytes text = make_text(blocks(11), "\n");
    bytes packed = pack_gzip(text.data, text.size);
    spmv__source src = open_packed(packed);
    spmv__piece piece[3];
    int64_t at = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3; i++) cr_assert_eq(spmv__source_next(&src, &piece[i], NULL), 0);
        for (int i = 0; i < 3; i++) {
            const int64_t size = piece[i].end - piece[i].begin;
            cr_assert_eq(memcmp(piece[i].begin, text.data + at, (size_t)size), 0);
            at += size;
        }
        for (int i = 2; i >= 0; i--) spmv__source_release(&src, &piece[i]);
    }
    cr_assert_eq(at, (int64_t)text.size);
    spmv__source_close(&src);
    free(packed.data);
    free(text.data);
}

Test(pieces, a_source_may_be_closed_at_any_time)
{
    bytes text = make_text(blocks(5), "\n");
    bytes packed = pack_gzip(text.data, text.size);
    for (int taken = 0; taken < 5; taken++) {
        spmv__source src = open_packed(packed);
        spmv__piece piece;
        for (int i = 0; i < taken; i++) {
            cr_assert_eq(spmv__source_next(&src, &piece, NULL), SPMV_SUCCESS);
            if (i % 2 == 0) spmv__source_release(&src, &piece);
        }
        spmv__source_close(&src);
    }
    free(packed.data);
    free(text.data);
}

Test(pieces, a_line_without_end_is_refused)
{
    bytes text = {calloc(3, SPMV__BLOCK_SIZE), 3 * (size_t)SPMV__BLOCK_SIZE};
    bytes packed = pack_gzip(text.data, text.size);
    spmv__source src = open_packed(packed);
    spmv__piece piece;
    spmv_error err;
    cr_assert_eq(spmv__source_next(&src, &piece, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "1048576"), "%s", err.message);
    cr_assert_str_eq(err.file, "text");
    spmv__source_close(&src);
    free(packed.data);
    free(text.data);
}

Test(pieces, or_everything_at_once)
{
    static const spmv_read_options options = {0};
    for (size_t size = 0; size < (size_t)23 << 20; size = size * 3 + (1 << 18)) {
        bytes text = make_text(size, "\n");
        bytes packed = pack_gzip(text.data, text.size);
        spmv__source src = open_packed(packed);
        cr_assert_eq(src.size,
                     (int64_t)(text.size < SPMV__BLOCK_SIZE ? text.size : SPMV__BLOCK_SIZE));
        cr_assert_eq(spmv__source_whole(&src, &options, NULL), SPMV_SUCCESS);
        cr_assert_eq(src.size, (int64_t)text.size);
        cr_assert_eq(memcmp(src.data, text.data, text.size), 0);
        cr_assert_not_null(src.storage, "a matrix may take it");
        cr_assert_str_eq(src.compression, "gzip");
        spmv__source_close(&src);
        free(packed.data);
        free(text.data);
    }
}

/* ---- The beginning that was looked at already ------------------------------------------------ */

/* What was read of a stream to see what it is becomes the beginning of its first block; the stream
 * goes on behind that and does not begin again.  Also where the text ends within it. */
Test(pieces, a_beginning_is_not_read_twice)
{
    const size_t sizes[] = {0, 1, 511, 512, 513, SPMV__BLOCK_SIZE, SPMV__BLOCK_SIZE + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bytes text = make_text(sizes[i] + 1, "\n");
        text.size = sizes[i];
        text_stream s = stream_over(text, (bytes){0});
        unsigned char begin[512];
        int64_t seen = 0;
        spmv__feed *feed = NULL;
        cr_assert_eq(read_text(&s.base, begin, sizeof begin, &seen, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv__feed_open(&feed, &s.base, begin, seen, NULL, NULL), SPMV_SUCCESS);
        const spmv__block *first = spmv__feed_first(feed);
        const size_t expected = sizes[i] < SPMV__BLOCK_SIZE ? sizes[i] : SPMV__BLOCK_SIZE;
        cr_expect_eq(first->size, (int64_t)expected, "%zu bytes", sizes[i]);
        cr_expect_eq(memcmp(first->data, text.data, expected), 0, "%zu bytes", sizes[i]);
        cr_expect_eq(s.rewinds, 0);
        spmv__feed_close(feed);
        free(text.data);
    }
}
