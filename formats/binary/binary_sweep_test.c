/* binary_sweep_test.c -- no damage to a binary file goes unnoticed, and none leads outside it.
 *
 * Every byte, every length, every field of the files in testdata/good, and many changes at once. */
#include "core/base/random.h"
#include "formats/binary/binary_image_test.h"

TestSuite(binary_sweep, .init = limit_memory);

Test(binary_sweep, every_truncation_is_named)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        image im = image_load(golden[f]);
        for (int64_t size = 0; size < im.size; size++) {
            image part = image_head(&im, size);
            spmv_error err;
            cr_assert_eq(try_read(&part, true, &err), SPMV_ERROR_INVALID_FORMAT);
            cr_assert_not_null(strstr(err.message, "truncated"), "%d bytes: %s", (int)size,
                               err.message);
            free(part.data);
        }
        free(im.data);
    }
}

/* Each byte counts: a file with any other byte is refused.  A reader that trusts the file accepts
 * what only the checksums of sections would tell. */
Test(binary_sweep, every_flipped_byte_is_found)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xff};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        image im = image_load(golden[f]);
        int64_t sections = 256 + 64 * (int64_t)image_get(&im, 24, 4);
        for (int64_t i = 0; i < im.size * 3; i++) {
            spmv_error err;
            im.data[i / 3] ^= flips[i % 3];
            cr_assert_neq(try_read(&im, false, &err), SPMV_SUCCESS, "byte %d", (int)(i / 3));
            cr_assert(try_read(&im, true, &err) != SPMV_SUCCESS || i / 3 >= sections,
                      "byte %d of the header, trusted", (int)(i / 3));
            im.data[i / 3] ^= flips[i % 3];
        }
        free(im.data);
    }
}

/* Fields of the header and of a row of the table.  Where `free` is set, other values make another
 * valid file: a later minor version, features that may be ignored, an emptier matrix. */
typedef struct field {
    int offset, width;
    bool free;
} field;
static const field header_fields[] = {
    {0, 8, false},   {8, 4, false},   {12, 2, false},  {14, 2, true},   {16, 8, false},
    {24, 4, false},  {28, 4, false},  {32, 8, false},  {40, 8, true},   {48, 8, false},
    {56, 8, false},  {64, 8, false},  {72, 8, false},  {80, 8, false},  {88, 8, false},
    {96, 8, true},   {104, 8, true},  {112, 8, false}, {120, 8, false}, {128, 8, false},
    {136, 8, false}, {144, 8, false}, {152, 8, false}, {160, 8, false}, {168, 8, false},
    {176, 8, false}, {184, 8, false}};
static const field section_fields[] = {{0, 8, false},  {8, 8, false},  {16, 8, false},
                                       {24, 8, false}, {32, 8, false}, {40, 8, false},
                                       {48, 8, false}, {56, 8, false}};
enum {
    HEADER_FIELDS = sizeof header_fields / sizeof header_fields[0],
    SECTION_FIELDS = sizeof section_fields / sizeof section_fields[0]
};

/* Field k of all those of a file: the header's, then those of each row. */
static field nth_field(int k)
{
    if (k < HEADER_FIELDS) return header_fields[k];
    int row = (k - HEADER_FIELDS) / SECTION_FIELDS;
    field f = section_fields[(k - HEADER_FIELDS) % SECTION_FIELDS];
    f.offset += 192 + 64 * row;
    return f;
}

static int field_count(const image *im)
{
    return HEADER_FIELDS + SECTION_FIELDS * (int)image_get(im, 24, 4);
}

/* A wrong value in place of `right`, number i of WRONGS. */
enum { WRONGS = 9 };
static uint64_t wrong_value(uint64_t right, int i)
{
    const uint64_t values[WRONGS] = {0,
                                     UINT64_MAX,
                                     right + 1,
                                     right - 1,
                                     (uint64_t)INT64_MAX,
                                     UINT64_C(1) << 62,
                                     UINT64_C(1) << 31,
                                     right + 64,
                                     right - 64};
    return values[i];
}

Test(binary_sweep, every_field_wrong_in_turn)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        image im = image_load(golden[f]);
        for (int i = 0; i < field_count(&im) * WRONGS; i++) {
            field at = nth_field(i / WRONGS);
            uint64_t right = image_get(&im, at.offset, at.width);
            image wrong = image_head(&im, im.size);
            spmv_error err;
            image_put(&wrong, at.offset, at.width, wrong_value(right, i % WRONGS));
            bool same = image_get(&wrong, at.offset, at.width) == right;
            reseal_header(wrong.data, wrong.size);
            spmv_status st = try_read(&wrong, false, &err);
            cr_assert((st == SPMV_SUCCESS) == same || at.free, "worked.%s, %d at %d: %s",
                      spmv_format_name((spmv_format)f), (int)image_get(&wrong, at.offset, at.width),
                      at.offset, err.message);
            try_read(&wrong, true, &err);
            free(wrong.data);
        }
        free(im.data);
    }
}

/* Up to four changes at once, anywhere, with all checksums made right. */
Test(binary_sweep, random_changes_never_lead_outside)
{
    image files[SPMV_FORMATS];
    int accepted[2] = {0}; /* not trusted, trusted */
    for (int f = 0; f < SPMV_FORMATS; f++) files[f] = image_load(golden[f]);
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        const image *im = &files[seed % SPMV_FORMATS];
        image wrong = image_head(im, im->size);
        const bool trust = seed / SPMV_FORMATS % 2 == 1;
        spmv_error err;
        snprintf(wrong.name, sizeof wrong.name, "seed %d", (int)seed);
        for (uint64_t k = 0; k <= spmv__mix(seed) % 4; k++) {
            uint64_t random = spmv__mix(seed << 8 | k);
            int64_t place = (int64_t)(random % (uint64_t)(im->size / 4)) * 4;
            field at = {(int)place, 4, true};
            if (random >> 62 != 0) at = nth_field((int)(random >> 40) % field_count(im));
            image_put(&wrong, at.offset, at.width,
                      wrong_value(image_get(&wrong, at.offset, at.width),
                                  (int)(random >> 20 & 0xffff) % WRONGS));
        }
        refresh_sums(&wrong, ALL);
        accepted[trust] += try_read(&wrong, trust, &err) == SPMV_SUCCESS;
        free(wrong.data);
    }
    cr_assert_gt(accepted[0], 0, "no change reached the last check");
    cr_assert_gt(accepted[1], accepted[0], "the last check finds nothing");
    for (int f = 0; f < SPMV_FORMATS; f++) free(files[f].data);
}
