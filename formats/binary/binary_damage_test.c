/* binary_damage_test.c -- damaged binary files: what each kind of damage is told.
 *
 * The files of testdata/good are changed in known places; offsets are those of spmv-formats(5).
 * Checksums are made right again where the checks behind them are meant.
 * The parts of a HYB matrix have no shape of their own in a file, so none can contradict. */
#include "formats/binary/binary_image_test.h"

TestSuite(binary_damage, .init = limit_memory);

enum {
    INVALID = SPMV_ERROR_INVALID_FORMAT,
    UNSUPPORTED = SPMV_ERROR_UNSUPPORTED,
    DIMENSION = SPMV_ERROR_INVALID_DIMENSION
};

/* In worked.csr row_ptr is at 448, col_idx at 512 and val at 576. */
static const struct {
    const char *what;
    spmv_format file;
    int64_t offset; /* of the bytes that change */
    int width;      /* how many they are */
    uint64_t value; /* that they take */
    refresh sums;
    int status;
    const char *says;
} cases[] = {
    {"foreign magic", SPMV_CSR, 0, 4, 0x46445025, AS_IS, INVALID,
     "not a binary matrix: its first bytes are 25 50 44 46"},
    {"magic damaged at its end", SPMV_CSR, 7, 1, 0, AS_IS, INVALID, "its first bytes were changed"},
    {"other endianness", SPMV_CSR, 8, 4, 0x04030201, AS_IS, UNSUPPORTED, "the file is big-endian"},
    {"no endianness", SPMV_CSR, 8, 4, 7, AS_IS, INVALID,
     "endian tag is 0x00000007, expected 0x01020304"},
    {"newer major version", SPMV_CSR, 12, 2, 2, AS_IS, UNSUPPORTED,
     "version 2.0 of the binary format, this program reads 1.x"},
    {"version 0", SPMV_CSR, 12, 2, 0, AS_IS, INVALID, "version is 0.0"},
    {"file_size too large", SPMV_CSR, 16, 8, 1000, SEAL, INVALID,
     "truncated: file_size is 1000, but only 616 bytes"},
    {"file_size too small", SPMV_CSR, 16, 8, 600, SEAL, INVALID,
     "file_size is 600, but the file has 616 bytes"},
    {"too many sections", SPMV_CSR, 24, 4, 65, AS_IS, INVALID, "section_count is 65, at most 64"},
    {"table past the end", SPMV_CSR, 24, 4, 9, AS_IS, INVALID,
     "the table of 9 sections ends outside the file of 616 bytes"},
    {"no sections", SPMV_CSR, 24, 4, 0, SEAL, INVALID, "zero"},
    {"damaged header", SPMV_CSR, 104, 8, 5, AS_IS, INVALID, "the header is damaged: its checksum"},
    {"bytes after the seal", SPMV_CSR, 400, 1, 1, AS_IS, INVALID,
     "between header and sections are not all zero"},
    {"unknown required feature", SPMV_CSR, 32, 8, 4, SEAL, UNSUPPORTED, "required features 0x4"},
    {"reserved", SPMV_CSR, 184, 8, 9, SEAL, INVALID, "reserved is 0x9"},
    {"unknown format", SPMV_CSR, 48, 4, 0x01727363, SEAL, UNSUPPORTED,
     "format 'csr?' is not known"},
    {"unknown value type", SPMV_CSR, 64, 4, 0x363163, SEAL, UNSUPPORTED,
     "value type 'c16' is not known"},
    {"unknown symmetry", SPMV_CSR, 80, 8, 0x6e616974696d7265, SEAL, UNSUPPORTED,
     "symmetry 'ermitian' is not known"},
    {"text after the end of a name", SPMV_CSR, 60, 1, 'x', SEAL, UNSUPPORTED,
     "format 'csr' is not known"},
    {"unprintable name", SPMV_CSR, 48, 8, UINT64_MAX, SEAL, UNSUPPORTED, "format '???"},
    {"negative rows", SPMV_CSR, 96, 8, UINT64_MAX, SEAL, INVALID, "rows is 18446744073709551615"},
    {"most rows", SPMV_CSR, 96, 8, (uint64_t)INT64_MAX, SEAL, INVALID,
     "rows is 9223372036854775807"},
    {"rows beyond addresses", SPMV_CSR, 96, 8, UINT64_C(1) << 62, SEAL, INVALID,
     "(row_ptr): the sizes in the header ask for more"},
    {"columns beyond 32 bits", SPMV_CSR, 104, 8, UINT64_C(1) << 40, SEAL, DIMENSION,
     "1099511627776"},
    {"one nonzero more", SPMV_CSR, 112, 8, 6, SEAL, INVALID,
     "section 1 (col_idx): its size is 20 bytes, the header asks for 24"},
    {"surplus parameter", SPMV_CSR, 120, 8, 1, SEAL, INVALID, "parameter 0 is 1, csr has only 0"},
    {"param_count", SPMV_CSR, 28, 4, 1, SEAL, INVALID, "param_count is 1, csr has 0"},
    {"other array", SPMV_CSR, 192, 3, 0x6c6f63, SEAL, INVALID,
     "section 0 is 'col_ptr', expected 'row_ptr'"},
    {"other element", SPMV_CSR, 272, 3, 0x343669, SEAL, INVALID,
     "section 1 (col_idx): its elements are 'i64', expected 'i32'"},
    {"section outside", SPMV_CSR, 288, 8, 1 << 20, SEAL, INVALID,
     "section 1 (col_idx): offset 1048576 is outside the file of 616 bytes"},
    {"section reaches outside", SPMV_CSR, 360, 8, 48, SEAL, INVALID,
     "section 2 (val): size 48 at offset 576 reaches outside the file of 616 bytes"},
    {"offset + size overflows", SPMV_CSR, 296, 8, UINT64_MAX - 511, SEAL, INVALID,
     "reaches outside the file of 616 bytes"},
    {"offset below zero", SPMV_CSR, 288, 8, UINT64_MAX - 63, SEAL, INVALID,
     "offset 18446744073709551552 is outside"},
    {"overlap", SPMV_CSR, 288, 8, 448, SEAL, INVALID,
     "offset 448 overlaps what precedes it, expected 512"},
    {"hole", SPMV_CSR, 288, 8, 576, SEAL, INVALID, "offset 576 leaves a hole, expected 512"},
    {"misaligned", SPMV_CSR, 288, 8, 516, SEAL, INVALID, "offset 516 is not a multiple of 64"},
    {"size is not count times element", SPMV_CSR, 296, 8, 24, SEAL, INVALID,
     "section 1 (col_idx): its size is 24 bytes, the header asks for 20"},
    {"last section too short", SPMV_CSR, 360, 8, 32, SEAL, INVALID,
     "the last section ends at 608, but the file has 616 bytes"},
    {"bytes between sections", SPMV_CSR, 500, 1, 1, AS_IS, INVALID,
     "section 1 (col_idx): the bytes before it are not all zero"},
    {"array marked as optional", SPMV_CSR, 376, 8, 1, SEAL, INVALID, "section val is missing"},
    {"unknown flags", SPMV_CSR, 376, 8, 3, SEAL, UNSUPPORTED, "section 2 (val) with flags 0x3"},
    {"damaged values", SPMV_CSR, 576, 1, 1, AS_IS, INVALID,
     "section 2 (val) is damaged: its checksum is"},
    {"row_ptr[0]", SPMV_CSR, 448, 8, 1, ALL, INVALID, "row_ptr[0] is 1"},
    {"falling row_ptr", SPMV_CSR, 456, 8, 5, ALL, INVALID, "row_ptr falls from 5 to 4"},
    {"last row_ptr", SPMV_CSR, 472, 8, 4, ALL, INVALID, "row_ptr ends at 4"},
    {"huge row_ptr", SPMV_CSR, 456, 8, INT64_MAX, ALL, INVALID, "row_ptr"},
    {"column beyond the last", SPMV_CSR, 528, 4, 4, ALL, INVALID, "is outside 3 x 4"},
    {"negative column", SPMV_CSR, 528, 4, 0xffffffff, ALL, INVALID, "is outside 3 x 4"},
    {"columns out of order", SPMV_CSR, 512, 4, 3, ALL, INVALID, "out of order"},
    {"ELL width times rows overflows", SPMV_ELL, 120, 8, UINT64_C(1) << 62, SEAL, INVALID,
     "more than can be addressed"},
    {"ELL width", SPMV_ELL, 120, 8, 3, SEAL, INVALID,
     "its size is 24 bytes, the header asks for 36"},
    {"no permutation", SPMV_JDS, 512, 4, 1, ALL, INVALID, "perm"},
    {"permutation outside", SPMV_JDS, 512, 4, 3, ALL, INVALID, "perm"},
    {"HYB overflow of another size", SPMV_HYB, 128, 8, 3, SEAL, INVALID,
     "section 2 (coo.row_idx): its size is 16 bytes, the header asks for 24"},
    {"HYB with more overflow than entries", SPMV_HYB, 112, 8, 1, SEAL, INVALID, ""},
    {"row beyond the last", SPMV_COO, 480, 8, 3, ALL, INVALID, "is outside 3 x 4"},

};

Test(binary_damage, each_known_kind_is_named)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        image im = image_load(golden[cases[i].file]);
        spmv_error err;
        image_put(&im, cases[i].offset, cases[i].width, cases[i].value);
        refresh_sums(&im, cases[i].sums);
        spmv_status st = try_read(&im, false, &err);
        cr_assert_eq((int)st, cases[i].status, "%s: %s, %s", cases[i].what, spmv_status_name(st),
                     err.message);
        cr_assert_not_null(strstr(err.message, cases[i].says), "%s: %s", cases[i].what,
                           err.message);
        free(im.data);
    }
}

/* Replace each `from` by `to`, as a transfer in text mode does. */
static image transfer(const image *im, const char *from, const char *to)
{
    size_t skip = strlen(from), grow = strlen(to);
    image out = image_new(im->size * 2);
    out.size = 0;
    for (int64_t i = 0; i < im->size;) {
        bool hit = im->size - i >= (int64_t)skip && memcmp(im->data + i, from, skip) == 0;
        memcpy(out.data + out.size, hit ? (const void *)to : im->data + i, hit ? grow : 1);
        out.size += hit ? (int64_t)grow : 1;
        i += hit ? (int64_t)skip : 1;
    }
    return out;
}

Test(binary_damage, transfer_as_text_is_recognised_by_the_magic)
{
    static const struct {
        const char *from, *to, *says;
    } ways[] = {
        {"\n", "\r\n", "(LF became CR LF)"},
        {"\n\x1a\n", "\n\x1a\r\n", "(LF became CR LF)"},
        {"\r\n", "\n", "(CR LF became LF)"},
        {"\x89", "\x09", "(the eighth bit of each byte was lost)"},
        {"\x89", "\xc2\x89", "(it was converted to UTF-8)"},
        {"\x89", "\xef\xbf\xbd", "(it was converted to UTF-8)"},
        {"\r", "\n", "(its first bytes were changed)"},
    };
    image im = image_load(golden[SPMV_CSR]);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        image damaged = transfer(&im, ways[i].from, ways[i].to);
        spmv_error err;
        cr_assert(spmv__binary_file.recognise(damaged.data, damaged.size));
        cr_assert_eq(try_read(&damaged, true, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, ways[i].says), "%s", err.message);
        free(damaged.data);
    }
    free(im.data);
}

/* worked.csr with a fourth section of `size` bytes: the table grows by one row, so that all places
 * move by 64. */
static image with_section(const char *name, int64_t size, uint64_t flags)
{
    image im = image_load(golden[SPMV_CSR]);
    image out = image_new(704 + size);
    memset(out.data, 0, (size_t)out.size);
    memcpy(out.data, im.data, 384);
    memcpy(out.data + 512, im.data + 448, (size_t)im.size - 448);
    image_put(&out, 16, 8, (uint64_t)out.size);
    image_put(&out, 24, 4, 4);
    for (int row = 192; row < 384; row += 64)
        image_put(&out, row + 32, 8, image_get(&im, row + 32, 8) + 64);
    strcpy((char *)out.data + 384, name);
    strcpy((char *)out.data + 400, "u8");
    image_put(&out, 416, 8, 704);
    image_put(&out, 424, 8, (uint64_t)size);
    image_put(&out, 440, 8, flags);
    memset(out.data + 704, '{', (size_t)size);
    free(im.data);
    refresh_sums(&out, ALL);
    return out;
}

Test(binary_damage, sections_of_later_versions)
{
    spmv_error err;
    image notes = with_section("notes", 5000, 1), index = with_section("index", 5000, 0);

    cr_assert_eq(try_read(&notes, false, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(try_read(&index, false, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "section 3 (index)"), "%s", err.message);
    image_put(&notes, 424, 8, UINT64_C(10) << 30);
    reseal_header(notes.data, notes.size);
    cr_assert_eq(try_read(&notes, true, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "section 3 (notes): size 10737418240"), "%s",
                       err.message);
    free(notes.data);
    free(index.data);
}
