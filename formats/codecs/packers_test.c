/* packers_test.c -- what is packed in blocks is the same for any number of threads. */
#include "core/base/omp_test.h"
#include "core/base/random.h"
#include "formats/stream/packed_test.h"
#include "formats/stream/packing.h"

enum { BLOCK = 1 << 17, MOST = 19 * BLOCK };

static void add(void *user, const unsigned char *data, size_t size)
{
    bytes *out = user;
    *out = append(*out, data, size);
}

/* As a writer brings it: `portion` bytes at a time, and in the end nothing more or the rest. */
static bytes pack(const char *path, const unsigned char *data, size_t size, size_t portion,
                  bool ends_empty)
{
    bytes out = copy_bytes("", 0);
    spmv__packer *packer;
    spmv_error err;
    cr_assert_eq(spmv__packer_open(&packer, path, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_not_null(packer);
    for (; size > portion || (ends_empty && size > 0); data += portion) {
        if (portion > size) portion = size;
        cr_assert(spmv__packer_write(packer, data, portion, false, add, &out));
        size -= portion;
    }
    cr_assert(spmv__packer_write(packer, data, size, true, add, &out));
    spmv__packer_close(packer);
    return out;
}

/* One member, by zlib. */
static void assert_is_packed(bytes packed, const unsigned char *data, size_t size)
{
    unsigned char *out = malloc(size + 1);
    z_stream z = {0};
    cr_assert_eq(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
    z.next_in = packed.data;
    z.avail_in = (uInt)packed.size;
    z.next_out = out;
    z.avail_out = (uInt)size + 1;
    cr_assert_eq(inflate(&z, Z_FINISH), Z_STREAM_END, "%s", z.msg != NULL ? z.msg : "");
    cr_assert_eq(z.avail_in, 0);
    cr_assert_eq(z.total_out, size);
    cr_assert_eq(memcmp(out, data, size), 0);
    inflateEnd(&z);
    free(out);
}

/* As zlib packs it, which looks back across blocks. */
static size_t size_in_one_piece(const unsigned char *data, size_t size)
{
    uLongf packed = compressBound(size);
    unsigned char *out = malloc(packed);
    cr_assert_eq(compress2(out, &packed, data, size, 6), Z_OK);
    free(out);
    return packed;
}

/* Lines of numbers, or bytes of all kinds, which cannot be packed. */
static unsigned char *make(bool random)
{
    unsigned char *data = malloc(MOST + 32);
    for (size_t at = 0, k = 0; at < MOST; k++) {
        const uint64_t n = spmv__mix(k);
        if (random) memcpy(data + at, &n, sizeof n);
        at += random
                  ? sizeof n
                  : (size_t)sprintf((char *)data + at, "%d %d\n", (int)(n % 90000), (int)(at / 99));
    }
    return data;
}

Test(packers, all_threads_make_the_same_gzip_stream)
{
    const size_t sizes[] = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 4 * BLOCK, 8 * BLOCK - 1, MOST};
    const size_t portions[] = {1 << 30, 1 << 20, BLOCK, 30011};
    for (int kind = 0; kind < 2; kind++) {
        unsigned char *data = make(kind == 1);
        for (int i = 0; i < 8; i++) {
            bytes first = {NULL, 0};
            for (int t = 0; t < 4; t++) {
                omp_set_num_threads((const int[]){1, 2, 3, 16}[t]);
                bytes packed =
                    pack("x.gz", data, sizes[i], portions[(t + i) % 4], (t + i) % 3 == 0);
                assert_is_packed(packed, data, sizes[i]);
                if (t > 0) {
                    cr_assert_eq(packed.size, first.size);
                    cr_assert_eq(memcmp(packed.data, first.data, first.size), 0);
                    free(packed.data);
                } else {
                    first = packed;
                }
            }
            const size_t whole = size_in_one_piece(data, sizes[i]);
            cr_assert_leq(first.size, whole + whole / 1000 + 64, "%zu and %zu", first.size, whole);
            free(first.data);
        }
        free(data);
    }
}

/* Lines that are packed soon: of some blocks of xz, and of some jobs of zstd. */
Test(packers, all_threads_make_the_same_blocks)
{
    const size_t size = ((size_t)5 << 22) + 777;
    unsigned char *data = malloc(size + 32);
    for (size_t at = 0; at < size;)
        at += (size_t)sprintf((char *)data + at, "%d 1 0.5\n", (int)(at >> 12));
    for (int kind = 0; kind < 2; kind++) {
        bytes first = {NULL, 0};
        for (int t = 0; t < 3; t++) {
            omp_set_num_threads((const int[]){1, 2, 5}[t]);
            bytes packed = pack(kind == 0 ? "x.xz" : "x.zst", data, size,
                                (const size_t[]){1 << 20, 1 << 30, 30011}[t], t == 1);
            assert_unpacks(packed, data, size);
            cr_assert(t == 0 || (packed.size == first.size &&
                                 memcmp(packed.data, first.data, first.size) == 0));
            if (t == 0)
                first = packed;
            else
                free(packed.data);
        }
        free(first.data);
    }
    free(data);
}
