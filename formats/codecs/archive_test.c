/* archive_test.c -- archives: which member is read, and what becomes of odd and damaged ones. */
#include "formats/codecs/archive.h"
#include "formats/codecs/tar_test.h"
#include "formats/stream/text_stream_test.h"

/* The member that is read has this text, whatever the archive is compressed with. */
static void assert_reads(bytes tar, const char *wanted, const char *name, const char *text)
{
    for (int c = -1; c < CODECS; c++) {
        bytes file = c < 0 ? copy_bytes(tar.data, tar.size) : codecs[c].pack(tar.data, tar.size);
        unpacked u = unpack(file, wanted);
        cr_assert_eq(u.status, SPMV_SUCCESS, "%s: %s", name, u.err.message);
        cr_assert_str_eq(u.src.member, name);
        cr_assert_eq(u.src.size, (int64_t)strlen(text), "%s", name);
        cr_assert_eq(memcmp(u.src.data, text, strlen(text)), 0, "%s", name);
        spmv__source_close(&u.src);
        free(file.data);
    }
}

static void assert_refuses(bytes tar, const char *wanted, spmv_status status, const char *phrase)
{
    for (int c = -1; c < CODECS; c++) {
        bytes file = c < 0 ? copy_bytes(tar.data, tar.size) : codecs[c].pack(tar.data, tar.size);
        unpacked u = unpack(file, wanted);
        cr_assert_eq(u.status, status, "%s: %s", spmv_status_name(u.status), u.err.message);
        cr_assert_not_null(strstr(u.err.message, phrase), "'%s' lacks '%s'", u.err.message, phrase);
        spmv__source_close(&u.src);
        free(file.data);
    }
}

Test(archive, one_that_changes_between_two_passes_is_refused)
{
    text_stream s =
        stream_over(tar_end(tar_file(tar_file(tar_begin(), "README", "text"), "x.mtx", "text")),
                    tar_end(tar_file(tar_begin(), "README", "text")));
    spmv__stream *member = NULL;
    spmv_error err;
    cr_assert_eq(spmv__member_open(&member, &s.base, NULL, 0, NULL, &spmv__known_files, &err),
                 SPMV_ERROR_FILE_IO);
    cr_assert_str_eq(err.message, "the archive was changed while it was read");
    cr_assert_null(member);
    free(s.text.data);
    free(s.later.data);
}

/* ---- Which member --------------------------------------------------------------------------- */

/* Archives by the names in them; the text of a member is its name. */
static const struct {
    const char *names; /* separated by blanks */
    const char *wanted;
    const char *member; /* NULL: refused */
    const char *phrase; /* of the refusal */
} choices[] = {
    {"bfly/bfly.mtx bfly/bfly_b.mtx", NULL, "bfly/bfly.mtx", NULL},
    {"bfly/bfly_b.mtx bfly/bfly.mtx bfly/bfly_x.mtx", NULL, "bfly/bfly.mtx", NULL},
    {"bfly_names.txt ./bfly/bfly.mtx", NULL, "./bfly/bfly.mtx", NULL},
    {"a/b/c/c.mtx a/b/c/d.mtx", NULL, "a/b/c/c.mtx", NULL},
    {"x.mtx a/ab.mtx ab/b.mtx b/b.mtx", NULL, "b/b.mtx", NULL},
    {"n.1/n.1.mtx n.1/n.mtx", NULL, "n.1/n.1.mtx", NULL},
    {"a/a.csr a/b.mtx", NULL, "a/a.csr", NULL},
    {"notes/README notes/x.mtx", NULL, "notes/x.mtx", NULL},
    {"README.txt a.mtx names.txt", NULL, "a.mtx", NULL},
    {"README graph.el", NULL, "graph.el", NULL},
    {"soc/soc.txt soc/x.txt", NULL, "soc/soc.txt", NULL},
    {"README", NULL, "README", NULL},
    {"a/._a.mtx a/a.mtx", NULL, "a/a.mtx", NULL},
    {"._x.mtx x.mtx", NULL, "x.mtx", NULL},
    {"../../x.mtx", NULL, "../../x.mtx", NULL},
    {"/etc/etc.mtx", NULL, "/etc/etc.mtx", NULL},
    {"a/b.mtx a/c.mtx", NULL, NULL,
     "2 members of the archive could be meant, `member` chooses: "
     "a/b.mtx, a/c.mtx"},
    {"1.mtx 2.mtx 3.mtx 4.mtx 5.mtx 6.mtx", NULL, NULL, "1.mtx, 2.mtx, 3.mtx, 4.mtx, ..."},
    {"a/a.mtx b/b.mtx", NULL, NULL, "a/a.mtx, b/b.mtx"},
    {"one two", NULL, NULL, "one, two"},
    {"._x.mtx", NULL, NULL, "holds no files"},
    {"a/a.mtx a/a_b.mtx", "a/a_b.mtx", "a/a_b.mtx", NULL},
    {"a/a.mtx a/a_b.mtx", "a_b.mtx", "a/a_b.mtx", NULL},
    {"a/a.mtx a/names.txt", "names.txt", "a/names.txt", NULL},
    {"a/._a.mtx", "._a.mtx", "a/._a.mtx", NULL},
    {"a/a.mtx a/b_a.mtx", "b.mtx", NULL, "no member 'b.mtx'; it holds: a/a.mtx, a/b_a.mtx"},
    {"a/x.mtx b/x.mtx", "x.mtx", NULL, "a/x.mtx, b/x.mtx"},
    {"a/x.mtx b/x.mtx", "b/x.mtx", "b/x.mtx", NULL},
};

Test(archive, the_member_is_chosen)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        char names[128], *rest = names, *name;
        bytes tar = tar_begin();
        strcpy(names, choices[i].names);
        while ((name = strsep(&rest, " ")) != NULL) tar = tar_file(tar, name, name);
        tar = tar_end(tar);
        if (choices[i].member != NULL)
            assert_reads(tar, choices[i].wanted, choices[i].member, choices[i].member);
        else
            assert_refuses(tar, choices[i].wanted, SPMV_ERROR_INVALID_FORMAT, choices[i].phrase);
        free(tar.data);
    }
}

Test(archive, only_an_archive_has_members)
{
    bytes text = copy_bytes("1 1 1\n", 6);
    assert_refuses(text, "x", SPMV_ERROR_INVALID_FORMAT, "not an archive");
    free(text.data);
}

/* GNU's magic differs from POSIX's; text may have the word there, but no byte 0 behind it. */
Test(archive, the_magic_ends_in_a_zero)
{
    bytes gnu = tar_file(tar_begin(), "a/a.mtx", "text");
    memcpy(gnu.data + 257, "ustar  ", 8);
    tar_seal(gnu.data);
    gnu = tar_end(gnu);
    assert_reads(gnu, NULL, "a/a.mtx", "text");
    gnu.data[257 + 5] = '5';
    assert_refuses(gnu, "a/a.mtx", SPMV_ERROR_INVALID_FORMAT, "not an archive");
    free(gnu.data);
}

/* ---- Kinds of members ----------------------------------------------------------------------- */

/* What is no file is passed over, even where it has the name of the matrix. */
Test(archive, links_devices_and_folders_are_never_followed)
{
    for (const char *type = "1234567"; *type != '\0'; type++) {
        if (*type == '7') continue; /* contiguous files are files */
        bytes tar = tar_member(tar_begin(), "a/a.mtx", *type, "");
        tar = tar_end(tar_file(tar, "a/other.mtx", "other"));
        assert_reads(tar, NULL, "a/other.mtx", "other");
        free(tar.data);
        tar = tar_end(tar_member(tar_begin(), "a/a.mtx", *type, ""));
        assert_refuses(tar, NULL, SPMV_ERROR_INVALID_FORMAT, "holds no files");
        free(tar.data);
    }
}

Test(archive, long_names_of_all_kinds)
{
    char name[300], record[320];
    memset(name, 'n', 140);
    strcpy(name + 140, "/x/x.mtx");
    char shown[128];
    snprintf(shown, sizeof shown, "%.127s", name);

    bytes gnu = tar_member(tar_begin(), "././@LongLink", 'L', name);
    gnu = tar_end(tar_file(gnu, "cut short", "text"));
    assert_reads(gnu, NULL, shown, "text");

    sprintf(record, "%d path=%s\n", (int)strlen(name) + 10, name);
    bytes pax = tar_member(tar_begin(), "PaxHeaders/x", 'x', record);
    pax = tar_end(tar_file(pax, "cut short", "text"));
    assert_reads(pax, NULL, shown, "text");

    bytes prefix = tar_file(tar_begin(), "x/x.mtx", "text");
    memcpy(prefix.data + 345, "some/folder", 11);
    tar_seal(prefix.data);
    prefix = tar_end(prefix);
    assert_reads(prefix, NULL, "some/folder/x/x.mtx", "text");
    free(gnu.data);
    free(pax.data);
    free(prefix.data);
}

Test(archive, holes_are_not_filled)
{
    bytes tar = tar_member(tar_begin(), "x", 'x',
                           "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
                           "30 GNU.sparse.realsize=99999999\n");
    tar = tar_end(tar_file(tar, "a/a.mtx", "1\n90000000\n4\nabcd"));
    unpacked u = unpack(tar, NULL);
    cr_assert_neq(u.status, SPMV_SUCCESS);
    spmv__source_close(&u.src);
    free(tar.data);
}

/* ---- Damage --------------------------------------------------------------------------------- */

static bytes make_archive(void)
{
    bytes tar = tar_file(tar_begin(), "a/a_b.mtx", "the right-hand side");
    tar = tar_file(tar, "a/a.mtx", "the matrix itself");
    return tar_end(tar_file(tar, "a/names.txt", "names"));
}

/* Cut anywhere, it is refused, unless what is missing is only padding or the end mark. */
Test(archive, cut_anywhere)
{
    bytes whole = make_archive();
    const size_t needed = 2 * TAR_BLOCK + TAR_BLOCK + 17; /* up to the end of the matrix */
    for (size_t size = 263; size < whole.size; size += 10) {
        bytes cut = copy_bytes(whole.data, size);
        unpacked u = unpack(cut, NULL);
        if (u.status == SPMV_SUCCESS) {
            cr_assert_geq(size, needed);
            cr_assert_eq(u.src.size, 17);
            cr_assert_eq(memcmp(u.src.data, "the matrix itself", 17), 0, "%zu bytes", size);
        }
        spmv__source_close(&u.src);
        free(cut.data);
    }
    free(whole.data);
}

Test(archive, a_wrong_header_checksum)
{
    for (int header = 0; header < 3; header++) {
        bytes tar = make_archive();
        tar.data[2 * header * TAR_BLOCK + 5] ^= 1;
        assert_refuses(tar, NULL, SPMV_ERROR_INVALID_FORMAT, "archive cannot be read");
        free(tar.data);
    }
}

/* Sizes beyond the archive, beyond all archives, and below 0. */
Test(archive, hostile_sizes)
{
    static const char *const sizes[] = {"00000002000", "77777777777",
                                        "\x80\0\0\0\x7f\xff\xff\xff"
                                        "\xff\xff\xff\xff",
                                        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
    for (int i = 0; i < 4; i++) {
        bytes tar = tar_file(tar_begin(), "a/a.mtx", "text");
        memcpy(tar.data + 124, sizes[i], i < 2 ? 11 : 12);
        tar_seal(tar.data);
        assert_refuses(tar, NULL, SPMV_ERROR_INVALID_FORMAT, "archive cannot be read");
        free(tar.data);
    }
}

/* The checksum of the compression stands behind the matrix. */
Test(archive, compression_is_checked_to_its_end)
{
    bytes tar = make_archive(), gzip = pack_gzip(tar.data, tar.size);
    gzip.data[gzip.size - 8] ^= 1;
    assert_unpacking_fails(gzip, SPMV_ERROR_INVALID_FORMAT, "checksum");
    gzip.size -= 4;
    assert_unpacking_fails(gzip, SPMV_ERROR_INVALID_FORMAT, "truncated");
    free(gzip.data);
    free(tar.data);
}

/* ---- zip ------------------------------------------------------------------------------------ */

/* Made by Python's zipfile: bfly/bfly_b.mtx and, deflated, bfly/bfly.mtx. */
static bytes load_zip(void)
{
    FILE *f = fopen(SPMV_TESTDATA "/packed/bfly.zip", "rb");
    cr_assert_not_null(f);
    bytes zip = {malloc(4096), 0};
    zip.size = fread(zip.data, 1, 4096, f);
    fclose(f);
    return zip;
}

Test(archive, zip)
{
    bytes zip = load_zip();
    const char *text = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n";
    unpacked u = unpack(zip, NULL);
    cr_assert_eq(u.status, SPMV_SUCCESS, "%s", u.err.message);
    cr_assert_str_eq(u.src.member, "bfly/bfly.mtx");
    cr_assert_eq(u.src.size, (int64_t)strlen(text));
    cr_assert_eq(memcmp(u.src.data, text, strlen(text)), 0);
    spmv__source_close(&u.src);
    for (size_t i = 0; i < zip.size; i++) { /* no change gives another text */
        bytes damaged = copy_bytes(zip.data, zip.size);
        damaged.data[i] ^= 0x10;
        u = unpack(damaged, "bfly/bfly.mtx");
        if (u.status == SPMV_SUCCESS && i >= 4) {
            cr_assert_eq(u.src.size, (int64_t)strlen(text), "byte %zu", i);
            cr_assert_eq(memcmp(u.src.data, text, strlen(text)), 0, "byte %zu", i);
        }
        spmv__source_close(&u.src);
        free(damaged.data);
    }
    free(zip.data);
}
