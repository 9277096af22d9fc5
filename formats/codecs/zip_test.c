/* zip_test.c -- sizes beyond 32 bits in the headers of archives that are written. */
#include "formats/codecs/zip.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static uint64_t load(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0) value = value << 8 | p[bytes];
    return value;
}

/* The header of a member of `size` bytes, of which none follows; returns its length. */
static int64_t header_of(int64_t size, unsigned char header[256])
{
    int64_t length;
    spmv__sink *sink;
    spmv__zip *zip;
    FILE *f = tmpfile();
    const int saved = dup(STDOUT_FILENO);
    cr_assert_not_null(f);
    dup2(fileno(f), STDOUT_FILENO);
    const spmv_status opened = spmv__sink_open(&sink, "-", NULL, NULL);
    const spmv_status created = spmv__zip_create(&zip, sink, NULL);
    const spmv_status begun = spmv__zip_begin(zip, "data.npy", size, NULL);
    spmv__zip_close(zip);
    const spmv_status written = spmv__sink_commit(&sink, NULL);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    cr_assert(opened == SPMV_SUCCESS && created == SPMV_SUCCESS && begun == SPMV_SUCCESS &&
              written == SPMV_SUCCESS);
    length = pread(fileno(f), header, 256, 0);
    fclose(f);
    return length;
}

/* APPNOTE.TXT of PKWARE, 4.3.7 and 4.5.3: 0xffffffff stands for a size that is in the extra field
 * with the number 1. */
Test(zip, sizes_beyond_32_bits_stand_in_an_extra_field)
{
    static const int64_t sizes[] = {0, 128, INT64_C(5) << 30, INT64_C(1) << 40};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char header[256];
        const int64_t length = header_of(sizes[i], header);
        cr_assert_geq(length, 38);
        cr_assert_eq(load(header, 4), 0x04034b50);
        cr_assert_eq(load(header + 8, 2), 0, "the member is compressed");
        const uint64_t name = load(header + 26, 2), extra = load(header + 28, 2);
        cr_assert_eq(length, 30 + (int64_t)(name + extra));
        if (sizes[i] < UINT32_MAX) {
            cr_assert_eq(load(header + 22, 4), sizes[i]);
            continue;
        }
        cr_assert_eq(load(header + 22, 4), UINT32_MAX);
        uint64_t found = 0;
        for (uint64_t at = 30 + name; at + 4 <= 30 + name + extra;
             at += 4 + load(header + at + 2, 2))
            if (load(header + at, 2) == 1) found = load(header + at + 4, 8);
        cr_assert_eq(found, (uint64_t)sizes[i]);
    }
}
