/* decoder_test.c -- compressed files that are whole, in several members, damaged, or cut short. */
#include "core/base/random.h"
#include "formats/stream/packed_test.h"

/* Text that compresses, but not to nothing. */
static bytes make_text(size_t size)
{
    bytes text = {malloc(size + 64), 0};
    for (uint64_t i = 0; text.size < size; i++)
        text.size += (size_t)sprintf((char *)text.data + text.size, "%d %d %d\n",
                                     (int)(spmv__mix(i) % 100), (int)(i / 7), (int)(i % 13));
    text.size = size;
    return text;
}

Test(decode, every_compression)
{
    static const size_t sizes[] = {0, 1, 1000, 300000, (9u << 20) + 17};
    for (int c = 0; c < CODECS; c++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            bytes text = make_text(sizes[i]);
            bytes packed = codecs[c].pack(text.data, text.size);
            unpacked u = unpack(packed, NULL);
            cr_assert_eq(u.status, SPMV_SUCCESS, "%s: %s", codecs[c].name, u.err.message);
            cr_assert_eq(u.src.size, (int64_t)text.size);
            cr_assert_eq(memcmp(u.src.data, text.data, text.size), 0, "%s", codecs[c].name);
            cr_assert_str_eq(u.src.compression, codecs[c].name);
            spmv__source_close(&u.src);
            free(packed.data);
            free(text.data);
        }
}

/* Input and output that arrive byte by byte. */
static bytes decode_slowly(const spmv__decoder *decoder, bytes packed, size_t room)
{
    bytes out = {malloc(room), 0};
    size_t at = 0;
    void *state = NULL;
    cr_assert_eq(decoder->open(&state, NULL), SPMV_SUCCESS);
    for (int idle = 0; idle < 3 && out.size < room;) {
        spmv__window w = {packed.data + at, out.data + out.size, at < packed.size, 1};
        const spmv__decoded result = decoder->step(state, &w);
        const size_t moved = (size_t)(w.in - (packed.data + at)) + (size_t)(1 - w.out_size);
        cr_assert(result == SPMV__DECODE_ON || result == SPMV__DECODE_END, "byte %zu", at);
        idle = moved == 0 && result == SPMV__DECODE_ON ? idle + 1 : 0;
        at = (size_t)(w.in - packed.data);
        out.size += 1 - w.out_size;
    }
    cr_assert_eq(at, packed.size);
    decoder->close(state);
    return out;
}

Test(decode, byte_by_byte)
{
    bytes text = make_text(5000);
    for (int c = 0; c < CODECS; c++) {
        bytes packed = codecs[c].pack(text.data, text.size);
        packed = append(packed, packed.data, packed.size);
        const spmv__packing *packing = spmv__packing_by_content(packed.data, (int64_t)packed.size);
        bytes out = decode_slowly(packing->decoder, packed, 3 * text.size);
        cr_assert_eq(out.size, 2 * text.size, "%s: %zu", codecs[c].name, out.size);
        cr_assert_eq(memcmp(out.data, text.data, text.size), 0);
        cr_assert_eq(memcmp(out.data + text.size, text.data, text.size), 0);
        if (c == 0) { /* and by the decoder for machines without ISA-L */
            bytes other = decode_slowly(&spmv__gzip_decoder, packed, 3 * text.size);
            cr_assert_eq(other.size, out.size);
            cr_assert_eq(memcmp(other.data, out.data, out.size), 0);
            free(other.data);
        }
        free(out.data);
        free(packed.data);
    }
    free(text.data);
}

Test(decode, several_members_and_empty_ones)
{
    for (int c = 0; c < CODECS; c++) {
        bytes text = make_text(70000);
        bytes first = codecs[c].pack(text.data, 30000), none = codecs[c].pack("", 0);
        bytes second = codecs[c].pack(text.data + 30000, text.size - 30000);
        bytes packed = append(copy_bytes(none.data, none.size), first.data, first.size);
        packed = append(packed, none.data, none.size);
        packed = append(packed, second.data, second.size);
        packed = append(packed, none.data, none.size);
        assert_unpacks(packed, text.data, text.size);
        free(packed.data);
        free(first.data);
        free(second.data);
        free(none.data);
        free(text.data);
    }
}

Test(decode, a_skippable_frame_may_come_first)
{
    bytes text = make_text(1000), zstd = pack_zstd(text.data, text.size);
    bytes packed = append(copy_bytes("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12), zstd.data, zstd.size);
    assert_unpacks(packed, text.data, text.size);
    free(packed.data);
    free(zstd.data);
    free(text.data);
}

static int remarks;
static void count_remark(void *user, const spmv_error *remark)
{
    remarks++;
    cr_assert_not_null(strstr(remark->message, user), "'%s' lacks '%s'", remark->message,
                       (const char *)user);
}

/* Zeros are padding, of which one is told; anything else is not. */
Test(decode, what_follows)
{
    for (int c = 0; c < CODECS; c++) {
        static const unsigned char zeros[512];
        bytes text = make_text(1000), packed = codecs[c].pack(text.data, text.size);
        char where[32];
        snprintf(where, sizeof where, "from byte %zu", packed.size);
        const spmv_read_options warn = {.warn = count_remark, .user = where};
        const spmv_read_options strict = {.strict = true};

        bytes padded = append(copy_bytes(packed.data, packed.size), zeros, sizeof zeros);
        unpacked u = unpack(padded, NULL);
        cr_assert_eq(u.status, SPMV_SUCCESS);
        cr_assert_eq(u.src.size, (int64_t)text.size);
        remarks = 0;
        cr_assert_eq(spmv__source_remark(&u.src, &warn, NULL), SPMV_SUCCESS);
        cr_assert_eq(remarks, 1);
        cr_assert_eq(spmv__source_remark(&u.src, &strict, NULL), SPMV_ERROR_INVALID_FORMAT);
        spmv__source_close(&u.src);

        padded = append(padded, packed.data, packed.size);
        text = append(text, text.data, text.size);
        assert_unpacks(padded, text.data, text.size);

        bytes followed = append(copy_bytes(packed.data, packed.size), "text", 4);
        snprintf(where, sizeof where, "else, at byte %zu", packed.size);
        assert_unpacking_fails(followed, SPMV_ERROR_INVALID_FORMAT, where);
        free(followed.data);
        free(padded.data);
        free(packed.data);
        free(text.data);
    }
}

/* Cut after any byte, a file is not taken for whole. */
Test(decode, cut_anywhere)
{
    bytes text = make_text(300);
    for (int c = 0; c < CODECS; c++) {
        bytes packed = codecs[c].pack(text.data, text.size);
        const int64_t magic = c == 1 ? 3 : c == 2 ? 6 : c == 0 ? 2 : 4;
        for (int64_t size = magic; size < (int64_t)packed.size; size++) {
            bytes cut = copy_bytes(packed.data, (size_t)size);
            char where[32];
            snprintf(where, sizeof where, "end at byte %lld", (long long)size);
            assert_unpacking_fails(cut, SPMV_ERROR_INVALID_FORMAT, where);
            free(cut.data);
        }
        free(packed.data);
    }
    free(text.data);
}

/* With any byte changed a file is refused, or gives the same text: not every byte matters. */
Test(decode, damaged_anywhere)
{
    bytes text = make_text(300);
    for (int c = 0; c < CODECS; c++) {
        bytes packed = codecs[c].pack(text.data, text.size);
        int refused = 0;
        for (size_t i = 0; i < packed.size; i++) {
            bytes damaged = copy_bytes(packed.data, packed.size);
            damaged.data[i] ^= (unsigned char)(1 << i % 8);
            unpacked u = unpack(damaged, NULL);
            const bool known =
                spmv__packing_by_content(damaged.data, (int64_t)damaged.size) != NULL;
            refused += u.status != SPMV_SUCCESS;
            if (u.status == SPMV_SUCCESS && known) {
                cr_assert_eq(u.src.size, (int64_t)text.size, "%s, byte %zu", codecs[c].name, i);
                cr_assert_eq(memcmp(u.src.data, text.data, text.size), 0, "%s, byte %zu",
                             codecs[c].name, i);
            }
            spmv__source_close(&u.src);
            free(damaged.data);
        }
        cr_assert_gt(refused, (int)packed.size / 2, "%s: %d of %zu", codecs[c].name, refused,
                     packed.size);
        free(packed.data);
    }
    free(text.data);
}

Test(decode, a_wrong_checksum_is_called_so)
{
    bytes text = make_text(3000), gzip = pack_gzip(text.data, text.size);
    gzip.data[gzip.size - 8] ^= 1;
    assert_unpacking_fails(gzip, SPMV_ERROR_INVALID_FORMAT, "checksum");
    const spmv__packing by_zlib = {.name = "gzip", .decoder = &spmv__gzip_decoder};
    spmv__stream *stream;
    spmv_error err;
    int64_t got;
    unsigned char out[4000];
    cr_assert_eq(spmv__decode_open(&stream, &by_zlib, gzip.data, (int64_t)gzip.size, NULL), 0);
    cr_assert_neq(stream->read(stream, out, sizeof out, &got, &err), SPMV_SUCCESS);
    cr_assert_not_null(strstr(err.message, "checksum"), "%s", err.message);
    stream->close(stream);

    bytes zstd = pack_zstd(text.data, text.size);
    zstd.data[zstd.size - 1] ^= 1;
    assert_unpacking_fails(zstd, SPMV_ERROR_INVALID_FORMAT, "checksum");
    free(zstd.data);
    free(gzip.data);
    free(text.data);
}

/* Headers that ask for a gigabyte of window get none. */
Test(decode, memory_that_a_header_asks_for)
{
    bytes text = make_text(3000);
    lzma_options_lzma large;
    lzma_lzma_preset(&large, 0);
    large.dict_size = 1u << 30;
    const lzma_filter chain[] = {{LZMA_FILTER_LZMA2, &large}, {LZMA_VLI_UNKNOWN, NULL}};
    bytes xz = {malloc(8192), 0};
    lzma_filter copy[2] = {chain[0], chain[1]};
    cr_assert_eq(lzma_stream_buffer_encode(copy, LZMA_CHECK_CRC32, NULL, text.data, text.size,
                                           xz.data, &xz.size, 8192),
                 LZMA_OK);
    assert_unpacking_fails(xz, SPMV_ERROR_OUT_OF_MEMORY, "too much memory");

    /* A zstd frame header: magic, no flags, a window of 2^30 bytes; then an empty last block. */
    bytes zstd = copy_bytes("\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00", 9);
    assert_unpacking_fails(zstd, SPMV_ERROR_OUT_OF_MEMORY, "too much memory");
    free(zstd.data);
    free(xz.data);
    free(text.data);
}

Test(decode, twice_is_once_too_often)
{
    bytes text = make_text(1000);
    for (int c = 0; c < CODECS; c++)
        for (int d = 0; d < CODECS; d++) {
            bytes once = codecs[c].pack(text.data, text.size);
            bytes twice = codecs[d].pack(once.data, once.size);
            assert_unpacking_fails(twice, SPMV_ERROR_UNSUPPORTED, "compressed twice");
            free(twice.data);
            free(once.data);
        }
    free(text.data);
}
