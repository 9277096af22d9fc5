/* packed_test.c -- matrices read through compression and archives, as they are read without. */
#include "formats/stream/feed.h"
#include "core/base/random.h"
#include "formats/text/read_text_test.h"
#include "formats/codecs/tar_test.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static void choose_path(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-packed-%ld.mtx", (long)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(packed, .init = choose_path, .fini = remove_file);

static void write_bytes(bytes b)
{
    FILE *f = fopen(path, "wb");
    cr_assert_eq(fwrite(b.data, 1, b.size, f), b.size);
    cr_assert_eq(fclose(f), 0);
}

static bytes load(const char *name)
{
    bytes b = {malloc(1 << 16), 0};
    FILE *f = fopen(name, "rb");
    cr_assert_not_null(f, "%s", name);
    b.size = fread(b.data, 1, 1 << 16, f);
    fclose(f);
    return b;
}

static outcome read_file(const char *name)
{
    outcome o = {0};
    const spmv_read_options options = {.warn = take_remark, .user = &o.warnings};
    o.status = spmv_read(&o.A, name, &options, &o.info, &o.err);
    return o;
}

/* The same matrix or the same refusal, the same places, the same words. */
static void assert_same(const outcome *plain, const outcome *packed, const char *name)
{
    cr_assert_eq(plain->status, packed->status, "%s: %s", name, packed->err.message);
    cr_assert_str_eq(plain->err.message, packed->err.message, "%s", name);
    cr_assert_eq(plain->err.line, packed->err.line, "%s", name);
    cr_assert_eq(plain->err.column, packed->err.column, "%s", name);
    cr_assert_eq(plain->warnings.n, packed->warnings.n, "%s", name);
    for (int i = 0; i < plain->warnings.n; i++) {
        const spmv_error *a = &plain->warnings.list[i], *b = &packed->warnings.list[i];
        cr_assert_eq(a->line, b->line, "%s", name);
        cr_assert_eq(a->column, b->column, "%s", name);
        cr_assert_str_eq(a->message, b->message, "%s", name);
    }
    if (plain->status != SPMV_SUCCESS) return;
    cr_assert(spmv_identical(&plain->A, &packed->A), "%s", name);
    cr_assert_str_eq(plain->info.file_format, packed->info.file_format);
    cr_assert_eq(plain->info.entries, packed->info.entries);
}

/* Each file of a folder, by every compression, alone and as the member of an archive. */
static void check_folder(const char *pattern, size_t least)
{
    glob_t found;
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
    cr_assert_geq(found.gl_pathc, least);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = found.gl_pathv[i];
        if (strstr(name, "/compressed.mtx") || strstr(name, "/empty.mtx")) continue;
        outcome plain = read_file(name);
        bytes text = load(name);
        bytes tar = tar_file(tar_begin(), "m/m_b.mtx", "not this one");
        tar = tar_header(tar, "m/m.mtx", '0', text.size);
        tar = append(tar, text.data, text.size);
        static const char padding[TAR_BLOCK];
        tar = tar_end(append(tar, padding, (TAR_BLOCK - text.size % TAR_BLOCK) % TAR_BLOCK));
        for (int c = 0; c < 2 * CODECS; c++) {
            const struct codec *codec = &codecs[c % CODECS];
            bytes packed =
                c < CODECS ? codec->pack(text.data, text.size) : codec->pack(tar.data, tar.size);
            write_bytes(packed);
            outcome o = read_file(path);
            assert_same(&plain, &o, name);
            if (o.status == SPMV_SUCCESS) {
                cr_assert_str_eq(o.info.compression, codec->name);
                cr_assert_str_eq(o.info.member, c < CODECS ? "" : "m/m.mtx");
                cr_assert_eq(o.info.bytes, (int64_t)packed.size);
            }
            spmv_destroy(&o.A);
            free(packed.data);
        }
        spmv_destroy(&plain.A);
        free(text.data);
        free(tar.data);
    }
    globfree(&found);
}

Test(packed, good_files)
{
    check_folder(SPMV_TESTDATA "/good/*.mtx", 50);
}

Test(packed, bad_files)
{
    check_folder(SPMV_TESTDATA "/bad/*.mtx", 50);
}

Test(packed, binary_files)
{
    check_folder(SPMV_TESTDATA "/good/worked.[cehj][!x]*", 6);
}

Test(packed, an_error_names_the_member)
{
    bytes tar = tar_end(tar_file(tar_begin(), "m/m.mtx",
                                 "%%MatrixMarket matrix coordinate pattern "
                                 "general\n1 1 1\n1 9\n"));
    char expected[80];
    write_bytes(tar);
    snprintf(expected, sizeof expected, "%s(m/m.mtx)", path);
    outcome o = read_file(path);
    cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(o.err.file, expected);
    cr_assert_eq(o.err.line, 3);
    cr_assert_eq(o.err.column, 3);
    free(tar.data);
}

Test(packed, zeros_behind_are_remarked_upon)
{
    static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";
    bytes packed = append(pack_gzip(text, sizeof text - 1), "\0\0\0\0", 4);
    const spmv_read_options strict = {.strict = true};
    write_bytes(packed);
    outcome o = read_file(path);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(o.warnings.n, 1);
    cr_assert_not_null(strstr(o.warnings.list[0].message, "4 zeros"));
    spmv_destroy(&o.A);
    cr_assert_eq(spmv_read(&o.A, path, &strict, NULL, NULL), SPMV_ERROR_INVALID_FORMAT);
    free(packed.data);
}

/* ---- Larger than a block -------------------------------------------------------------------- */

/* A file of some 4.5 MB whose last line is `last`, with as many entries as its header says or not.
 */
static bytes make_large(const char *last, bool honest)
{
    const int n = 320000;
    char *text = malloc((size_t)n * 32);
    size_t size = (size_t)sprintf(text,
                                  "%%%%MatrixMarket matrix coordinate real general\n"
                                  "5000 5000 %lld\n",
                                  honest ? (long long)n : (long long)INT64_MAX);
    for (uint64_t i = 1; i < (uint64_t)n; i++) {
        const unsigned row = (unsigned)(spmv__mix(i) % 2500) * 2, col = (unsigned)(i % 5000);
        size += (size_t)sprintf(text + size, "%u %u %.3g\n", row + 1, col + 1, spmv__uniform(1, i));
    }
    size += (size_t)sprintf(text + size, "%s\n", last);
    return (bytes){(unsigned char *)text, size};
}

/* Packed, the text is the same matrix, and gets the same remarks, as it is. */
static void assert_same_packed(bytes text, int codec, const spmv_read_options *options)
{
    spmv_read_options with = *options;
    outcome plain = {0};
    with.warn = options->strict ? NULL : take_remark;
    with.user = &plain.warnings;
    write_bytes(text);
    plain.status = spmv_read(&plain.A, path, &with, &plain.info, &plain.err);
    bytes packed = codecs[codec].pack(text.data, text.size);
    write_bytes(packed);
    for (with.threads = 1; with.threads <= 3; with.threads += 2) {
        outcome o = {0};
        with.user = &o.warnings;
        o.status = spmv_read(&o.A, path, &with, &o.info, &o.err);
        cr_assert_eq(o.status, plain.status, "%s: %s", codecs[codec].name, o.err.message);
        cr_assert_str_eq(o.err.message, plain.err.message);
        cr_assert_eq(o.err.line, plain.err.line);
        cr_assert_eq(o.warnings.n, plain.warnings.n);
        if (plain.warnings.n > 0)
            cr_assert_eq(o.warnings.list[0].line, plain.warnings.list[0].line);
        cr_assert_eq(o.info.duplicates, plain.info.duplicates);
        cr_assert(spmv_identical(&o.A, &plain.A));
        spmv_destroy(&o.A);
    }
    spmv_destroy(&plain.A);
    free(packed.data);
}

Test(packed, large_files_are_read_while_they_are_unpacked)
{
    static const spmv_read_options usual = {0}, refuse = {.duplicates = SPMV_DUPLICATES_ERROR};
    static const char *const lasts[] = {"2 1 1", "2 1", "5001 1 1", "2 1 nan"};
    for (size_t i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        bytes text = make_large(lasts[i], true);
        for (int c = 0; c < CODECS; c++) {
            if (c > 0 && i > 0) continue;
            assert_same_packed(text, c, &usual);
        }
        free(text.data);
    }
    bytes text = make_large("2 1 1", true);
    assert_same_packed(text, 0, &refuse);
    free(text.data);
    text = make_large("2 1 1", false);
    assert_same_packed(text, 0, &usual);
    free(text.data);
}

/* Comments take the line of sizes to the end of the first block, before it, across it and behind
 * it.
 */
Test(packed, the_header_ends_anywhere)
{
    static const char banner[] = "%%MatrixMarket matrix coordinate pattern general\n";
    static const char sizes[] = "9 99999 99999\n";
    static const spmv_read_options usual = {0};
    static const int behind[] = {-30, -1, 0, 1, 2, 4, 9, 13, 30};
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        bytes text = {malloc(3 * SPMV__BLOCK_SIZE), SPMV__BLOCK_SIZE};
        text.size = text.size + (size_t)behind[i] - strlen(sizes);
        memset(text.data, '%', text.size);
        memcpy(text.data, banner, strlen(banner));
        for (size_t p = 100; p < text.size; p += 100) text.data[p] = '\n';
        text.data[text.size - 1] = '\n';
        text.size += (size_t)sprintf((char *)text.data + text.size, "%s", sizes);
        for (int e = 1; e < 100000; e++)
            text.size += (size_t)sprintf((char *)text.data + text.size, "%d %d\n", e % 9 + 1, e);
        assert_same_packed(text, 0, &usual);
        free(text.data);
    }
}

/* The ninth block lies where the first one did; a line that nearly fills the eighth is put before
 * it and begins where that memory begins. */
Test(packed, nothing_before_a_block_is_looked_at)
{
    static const char head[] = "%%MatrixMarket matrix coordinate real general\n2 2 1\n";
    static const spmv_read_options usual = {.threads = 1};
    const size_t eighth = 7 * (size_t)SPMV__BLOCK_SIZE, size = eighth + SPMV__BLOCK_SIZE + 100;
    bytes text = {malloc(size), size};
    memset(text.data, '\n', eighth + 1);
    memset(text.data + eighth + 1, ' ', size - eighth - 2);
    memcpy(text.data, head, sizeof head - 1);
    memcpy(text.data + eighth + 1, "1 2 3", 5);
    text.data[size - 1] = '\n';
    assert_same_packed(text, 0, &usual);
    free(text.data);
}

/* What a METIS graph looks like is seen at its end only. */
Test(packed, a_large_graph_without_a_name_is_recognised)
{
    enum { NODES = 120000 };
    bytes text = {malloc(16 * NODES), 0};
    spmv_file_info info;
    spmv_matrix A;
    text.size = (size_t)sprintf((char *)text.data, "%d %d\n", NODES, NODES);
    for (int v = 0; v < NODES; v++)
        text.size += (size_t)sprintf((char *)text.data + text.size, "%d %d\n",
                                     (v + NODES - 1) % NODES + 1, (v + 1) % NODES + 1);
    cr_assert_gt(text.size, SPMV__BLOCK_SIZE);
    bytes packed = pack_gzip(text.data, text.size);
    char name[64];
    snprintf(name, sizeof name, "/tmp/spmv-packed-%ld.ring", (long)getpid());
    FILE *f = fopen(name, "wb");
    cr_assert_eq(fwrite(packed.data, 1, packed.size, f), packed.size);
    fclose(f);
    cr_assert_eq(spmv_read(&A, name, NULL, &info, NULL), SPMV_SUCCESS);
    unlink(name);
    cr_assert_str_eq(info.file_format, "metis");
    cr_assert_eq(A.head.rows, NODES);
    cr_assert_eq(A.head.nnz, 2 * NODES);
    spmv_destroy(&A);
    free(packed.data);
    free(text.data);
}

Test(packed, vectors)
{
    for (int c = 0; c < CODECS; c++) {
        spmv_dense x;
        bytes packed = codecs[c].pack("# a vector\n1\n2.5\n-3\n", 20);
        write_bytes(packed);
        cr_assert_eq(spmv_read_vector(&x, path, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(x.rows, 3);
        cr_assert_eq(((double *)x.data)[1], 2.5);
        spmv_dense_destroy(&x);
        free(packed.data);
    }
}

/* What a pipe gives becomes standard input. */
static void pipe_in(bytes packed)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    if (fork() == 0) {
        for (size_t at = 0; at < packed.size;) {
            const ssize_t n = write(ends[1], packed.data + at, packed.size - at);
            if (n < 0) _exit(1);
            at += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
}

Test(packed, from_a_pipe)
{
    static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";
    for (int c = 0; c < CODECS; c++) {
        bytes packed = codecs[c].pack(text, sizeof text - 1);
        pipe_in(packed);
        outcome o = read_file("-");
        cr_assert_eq(o.status, SPMV_SUCCESS, "%s: %s", codecs[c].name, o.err.message);
        cr_assert_eq(o.A.head.nnz, 1);
        spmv_destroy(&o.A);
        free(packed.data);
    }
}

/* The memory that it was read to is still there when a fault has it read again. */
Test(packed, large_from_a_pipe)
{
    bytes text = make_large("2 1", true), packed = pack_gzip(text.data, text.size);
    pipe_in(packed);
    outcome o = read_file("-");
    cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(o.err.line, 320002, "%lld: %s", (long long)o.err.line, o.err.message);
    free(packed.data);
    free(text.data);
}
