/* mtx_peak_test.c -- reading needs little more memory than what it makes, from plain files and from
 * packed ones. */
#include "core/base/peak_test.h"
#include "formats/file/any_file.h"
#include "core/base/random.h"
#include "formats/mtx/mtx.h"
#include "formats/stream/packed_test.h"

#include <malloc.h>

/* A file of n entries: by row, by column, or in no order. */
static char *make_file(const char *field, const char *symmetry, int64_t rows, int64_t n, int order)
{
    char *text = malloc(200 + (size_t)n * 60), *p = text;
    cr_assert_not_null(text);
    p += sprintf(p, "%%%%MatrixMarket matrix coordinate %s %s\n%lld %lld %lld\n", field, symmetry,
                 (long long)rows, (long long)rows, (long long)n);
    for (int64_t i = 0; i < n; i++) {
        int64_t a = i * rows / n, b = (int64_t)(spmv__mix((uint64_t)i) % (uint64_t)rows);
        if (order == 2) a = (int64_t)(spmv__mix(~(uint64_t)i) % (uint64_t)rows);
        int64_t row = order == 1 ? b : a, col = order == 1 ? a : b;
        if (symmetry[0] == 's' && row < col) {
            row = rows - 1 - row;
            col = rows - 1 - col;
        }
        p += sprintf(p, "%lld %lld", (long long)row + 1, (long long)col + 1);
        if (field[0] == 'r') p += sprintf(p, " %.17g", spmv__uniform(1, (uint64_t)i));
        *p++ = '\n';
    }
    *p = '\0';
    return text;
}

/* What reading takes at most is 1.3 times the matrix. */
static void assert_little_memory(bytes file, int threads, const char *label)
{
    spmv__source src = {.name = "text", .data = file.data, .size = (int64_t)file.size};
    const spmv_read_options options = {.threads = threads};
    spmv_file_info info;
    spmv_matrix A;
    malloc_trim(0);
    if (!test_forget_peak()) cr_skip_test("this system does not tell how much memory it took");
    const long before = test_own_memory("VmRSS");
    cr_assert_eq(spmv__source_unpack(&src, &spmv__known_files, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__mtx_read_blocks(&A, &src, &options, 0, &info, NULL), SPMV_SUCCESS);
    const long most = test_own_memory("VmHWM") - before;
    cr_assert_eq(A.format, SPMV_CSR);
    const long size = (long)spmv_memory_bytes(&A);
    cr_assert_leq(10 * most, 13 * size, "%s, %d threads: %ld for %ld", label, threads, most, size);
    cr_assert_geq(most, size * 9 / 10);
    spmv_destroy(&A);
    spmv__source_close(&src);
}

Test(mtx_peak, reading_needs_less_than_a_third_more_than_the_matrix)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the sanitizer keeps what is released");
#endif
    static const struct {
        const char *label, *field, *symmetry;
        int order;
        bytes (*pack)(const void *data, size_t size);
    } cases[] = {
        {"by row", "real", "general", 0, pack_gzip},
        {"in no order", "real", "general", 2, pack_zstd},
        {"symmetric", "real", "symmetric", 1, NULL},
        {"pattern by column", "pattern", "general", 1, pack_gzip},
        {"pattern in no order", "pattern", "general", 2, NULL},
    };
    /* What is large is a mapping of its own, not memory that was used before and is zeroed at once.
     */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    const int64_t n = 6000000; /* so that a huge page or two are few */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t given = cases[i].symmetry[0] == 's' ? n / 2 : n;
        char *text = make_file(cases[i].field, cases[i].symmetry, n / 8, given, cases[i].order);
        const bytes file = {(unsigned char *)text, strlen(text)};
        assert_little_memory(file, 1, cases[i].label);
        assert_little_memory(file, 2, cases[i].label);
        assert_little_memory(file, 16, cases[i].label);
        if (cases[i].pack != NULL) {
            const bytes packed = cases[i].pack(file.data, file.size);
            assert_little_memory(packed, 1, cases[i].label);
            assert_little_memory(packed, 2, cases[i].label);
            assert_little_memory(packed, 16, cases[i].label);
            free(packed.data);
        }
        free(text);
    }
}

/* Whoever sends millions of entries where six were announced does not get them stored. */
Test(mtx_peak, entries_beyond_the_last_take_none)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the sanitizer keeps what is released");
#endif
    char *text = make_file("real", "general", 1000, 6000000, 0), *count = strstr(text, "6000000");
    memcpy(count, "6      ", 7);
    spmv__source src = {
        .name = "text", .data = (const unsigned char *)text, .size = (int64_t)strlen(text)};
    const spmv_read_options options = {.threads = 2};
    spmv_file_info info;
    spmv_matrix A;
    spmv_error err;
    if (!test_forget_peak()) cr_skip_test("this system does not tell how much memory it took");
    const long before = test_own_memory("VmRSS");
    cr_assert_eq(spmv__mtx_read_blocks(&A, &src, &options, 0, &info, &err),
                 SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "after the last of 6 entries"), "%s", err.message);
    cr_assert_lt(test_own_memory("VmHWM") - before, 16 << 20);
    free(text);
}
