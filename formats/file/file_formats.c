/* file_formats.c -- the table of file formats: reading whatever a file turns out to hold, and
 * writing.
 */
#include "formats/file/any_file.h"
#include "core/matrix/format.h"

#include <string.h>

/* In the order in which content is tried. */
static const spmv__file_format *const file_formats[] = {
    &spmv__mtx_file,       &spmv__binary_file, &spmv__npz_file,    &spmv__npy_file,
    &spmv__binsparse_file, &spmv__boeing_file, &spmv__matlab_file, &spmv__graphml_file,
    &spmv__dimacs_file,    &spmv__metis_file,  &spmv__edges_file,
};

enum { FILE_FORMATS = sizeof file_formats / sizeof file_formats[0] };

static const struct variant {
    const char *name;
    const spmv__file_format *format;
} variants[] = {{"csv", &spmv__edges_file}, {"tsv", &spmv__edges_file}};

int spmv_file_format_count(void)
{
    return FILE_FORMATS;
}

const spmv_file_format *spmv_file_format_at(int i)
{
    return i >= 0 && i < FILE_FORMATS ? &file_formats[i]->info : NULL;
}

const char *spmv_file_format_variant(int i)
{
    enum { VARIANTS = sizeof variants / sizeof variants[0] };
    return i >= 0 && i < VARIANTS ? variants[i].name : NULL;
}

const spmv__file_format *spmv__file_format_named(const char *name)
{
    const char *variant;
    if (name == NULL) return NULL;
    for (int i = 0; i < FILE_FORMATS; i++)
        if (strcmp(file_formats[i]->info.name, name) == 0) return file_formats[i];
    for (int i = 0; (variant = spmv_file_format_variant(i)) != NULL; i++)
        if (strcmp(variant, name) == 0) return variants[i].format;
    return NULL;
}

const spmv_file_format *spmv_file_format_named(const char *name)
{
    const spmv__file_format *format = spmv__file_format_named(name);
    return format != NULL ? &format->info : NULL;
}

/* What is packed is no text, however much of it is to be seen: titles may be anything. */
const spmv__file_format *spmv__file_format_by_content(const spmv__source *src)
{
    const bool packed = spmv__looks_packed(src->data, src->size);
    for (int i = 0; i < FILE_FORMATS; i++) {
        const spmv__file_format *format = file_formats[i];
        if (format->recognise == NULL || (packed && format->info.text)) continue;
        if (format->recognise(src->data, src->size)) return format;
    }
    return NULL;
}

static const spmv__file_format *find_by_resemblance(const spmv__source *src,
                                                    const spmv_read_options *options)
{
    for (int i = 0; i < FILE_FORMATS; i++)
        if (file_formats[i]->resembles != NULL &&
            file_formats[i]->resembles(src->data, src->size, options))
            return file_formats[i];
    return NULL;
}

/* Returns whether `suffix` (with its dot) is one of the blank-separated `suffixes`. */
static bool lists_suffix(const char *suffixes, const char *suffix)
{
    size_t length = strlen(suffix);
    for (const char *s = suffixes; *s != '\0'; s += strcspn(s, " ")) {
        s += strspn(s, " ");
        if (strcspn(s, " ") == length && strncmp(s, suffix, length) == 0) return true;
    }
    return false;
}

const spmv__file_format *spmv__file_format_by_suffix(const char *path)
{
    char suffix[SPMV_SUFFIX_SIZE];
    if (*spmv_path_suffix(path, suffix) == '\0') return NULL;
    for (int i = 0; i < FILE_FORMATS; i++)
        if (lists_suffix(file_formats[i]->info.suffixes, suffix)) return file_formats[i];
    return NULL;
}

const spmv_file_format *spmv_file_format_of(const char *path)
{
    const spmv__file_format *format = spmv__file_format_by_suffix(path);
    return format != NULL ? &format->info : NULL;
}

static bool is_known(const unsigned char *data, int64_t size)
{
    return spmv__file_format_by_content(&(spmv__source){.data = data, .size = size}) != NULL;
}

static spmv__member_class class_of(const char *name)
{
    const spmv__file_format *format = spmv__file_format_by_suffix(name);
    if (format == NULL)
        return strncmp(name, "out.", 4) == 0 ? SPMV__MEMBER_EDGES : SPMV__MEMBER_FILE;
    return format->recognise != NULL ? SPMV__MEMBER_MATRIX : SPMV__MEMBER_NUMBERS;
}

const spmv__recogniser spmv__known_files = {is_known, class_of};

static spmv_status find_named(const spmv__file_format **out, const char *name, spmv_error *err)
{
    *out = spmv__file_format_named(name);
    if (*out != NULL) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no file format '%s'", name);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The content decides where it can.  Else the suffix does: it says whose complaint about unknown
 * content is the useful one, and which of the formats is meant that are nothing but numbers. */
static spmv_status choose(const spmv__file_format **out, spmv__source *src, const char *path,
                          const spmv_read_options *options, spmv_error *err)
{
    const char *name = src->member[0] != '\0' ? src->member : path;
    if (options->file_format != NULL) return find_named(out, options->file_format, err);
    if (src->size == 0)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, "the file is empty");
    *out = spmv__file_format_by_content(src);
    if (*out != NULL) return SPMV_SUCCESS;
    const char *what = spmv__find_foreign(src, name);
    if (what != NULL)
        return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0, "the file is %s", what);
    *out = spmv__file_format_by_suffix(name);
    if (*out == NULL || (*out)->only_by_name) {
        const spmv_status st = spmv__source_whole(src, options, err);
        if (st != SPMV_SUCCESS) return st;
        *out = find_by_resemblance(src, options);
    }
    if (*out != NULL) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 1, 1,
                             "the content is in no known format; `file_format` says which it is");
}

spmv_status spmv__vector_format(const spmv__file_format **out, const spmv__source *src,
                                const spmv_read_options *options, spmv_error *err)
{
    *out = NULL;
    if (options->file_format == NULL)
        *out = spmv__file_format_by_content(src);
    else if (strcmp(options->file_format, "text") != 0) {
        const spmv_status st = find_named(out, options->file_format, err);
        if (st != SPMV_SUCCESS) return st;
    }
    if (*out == NULL || (*out)->read_vector != NULL) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                             "files of the format %s hold no vectors", (*out)->info.name);
}

static const char lacking[] = "this build cannot use %s";

/* See through compression and archives; `member` may mean something else than a file of one. */
static spmv_status unpack(spmv__source *src, const spmv_read_options *options, spmv_error *err)
{
    const spmv__file_format *named =
        options->file_format != NULL ? spmv__file_format_named(options->file_format) : NULL;
    const spmv__file_format *plain = spmv__file_format_by_content(src);
    spmv_read_options with = *options;
    if (plain != NULL && options->member != NULL && !plain->members)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "there is no member '%.60s' in a file of the format %s",
                                 options->member, plain->info.name);
    if (plain != NULL) return SPMV_SUCCESS;
    if (named != NULL && named->members) with.member = NULL;
    return spmv__source_unpack(src, &spmv__known_files, &with, err);
}

spmv_status spmv_read(spmv_matrix *out, const char *path, const spmv_read_options *options,
                      spmv_file_info *info, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__source src = {0};
    const spmv__file_format *format = NULL;
    spmv_file_info facts = {.smallest_id = -1, .labels = {.first = 1}};
    spmv_matrix A = {0};

    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    if (info != NULL) *info = (spmv_file_info){0};
    SPMV__REQUIRE(path != NULL, err);
    if (options == NULL) options = &spmv__read_defaults;
    SPMV__TRY(spmv__source_open(&src, path, options, err));
    facts.bytes = src.size;
    SPMV__TRY(unpack(&src, options, err));
    facts.compression = src.compression;
    memcpy(facts.member, src.member, sizeof facts.member);
    SPMV__TRY(choose(&format, &src, path, options, err));
    if (format->lacking != NULL) {
        st = spmv__source_fail(&src, err, SPMV_ERROR_UNSUPPORTED, 0, 0, lacking, format->lacking);
        goto done;
    }
    if (format->read == NULL) {
        st = spmv__source_fail(&src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                               "files of the format %s are written, not read", format->info.name);
        goto done;
    }
    facts.file_format = format->info.name;
    if (!format->pieces) SPMV__TRY(spmv__source_whole(&src, options, err));
    SPMV__TRY(format->read(&A, &src, options, &facts, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    facts.labels.n = A.head.rows;
    *out = A;
    memset(&A, 0, sizeof A);
    if (info != NULL) {
        *info = facts;
        facts.labels = (spmv_labels){0};
    }

done:
    spmv__source_blame(&src, st, err);
    spmv_labels_destroy(&facts.labels);
    spmv_destroy(&A);
    spmv__source_close(&src);
    return st;
}

/* Content of a format that is not supported is no other text. */
static bool is_likely(const spmv__source *src, const char *path, const spmv_read_options *options)
{
    const spmv__file_format *format = spmv__file_format_by_content(src);
    if (format != NULL || spmv__find_foreign(src, path) != NULL) return true;
    format = spmv__file_format_by_suffix(path);
    if (format == NULL || format->likely == NULL) return format != NULL;
    return format->likely(src->data, src->size, options);
}

bool spmv_file_is_likely(const char *path, const spmv_read_options *options)
{
    spmv__source src = {0};
    if (options == NULL) options = &spmv__read_defaults;
    const bool opened = spmv__source_open(&src, path, options, NULL) == SPMV_SUCCESS &&
                        unpack(&src, options, NULL) == SPMV_SUCCESS;
    const bool likely = !opened || is_likely(&src, path, options);
    spmv__source_close(&src);
    return likely;
}

spmv_status spmv_list_members(const char *path, spmv_member_callback *each, void *user,
                              spmv_error *err)
{
    spmv__source src = {0};
    spmv_status st;
    SPMV__REQUIRE(path != NULL && each != NULL, err);
    SPMV__TRY(spmv__source_open(&src, path, &spmv__read_defaults, err));
    st = spmv__source_members(&src, &spmv__known_files, each, user, err);
done:
    spmv__source_close(&src);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

spmv_status spmv__file_format_for_output(const spmv__file_format **out, const char *path,
                                         const spmv_write_options *options, spmv_error *err)
{
    if (options != NULL && options->file_format != NULL)
        return find_named(out, options->file_format, err);
    *out = spmv__file_format_by_suffix(path);
    if (*out == NULL) *out = &spmv__mtx_file;
    return SPMV_SUCCESS;
}

spmv_status spmv_write(const spmv_matrix *A, const char *path, const spmv_write_options *options,
                       spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && path != NULL, err);
    const spmv__file_format *format;
    spmv_status st = spmv__file_format_for_output(&format, path, options, err);
    if (st != SPMV_SUCCESS) return st;
    if (format->lacking != NULL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, lacking, format->lacking);
    if (format->write == NULL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "files of the format %s are read, not written", format->info.name);
    SPMV__REQUIRE_MATRIX(A, err);
    return format->write(A, path, options, err);
}
