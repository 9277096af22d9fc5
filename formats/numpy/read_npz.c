/* read_npz.c -- a sparse matrix that SciPy saved.
 *
 * Each array goes from its member straight into memory of the type that the matrix will need, in
 * whatever order the members come.  SciPy promises neither ascending indices nor different
 * coordinates; what does not keep our promises is sorted, and summed as the options say. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"
#include "formats/common/file_format.h"
#include "formats/numpy/npz.h"
#include "formats/codecs/archive.h"

#include <inttypes.h>
#include <stdlib.h>

/* The arrays that have been read so far. */
typedef struct npz_parts {
    const spmv__source *src;
    const spmv_read_options *options;
    bool seen[SPMV__NPZ_MEMBERS];
    char format[4];
    void *array[SPMV__NPZ_MEMBERS]; /* [count], malloc'ed; NULL for the format */
    int64_t count[SPMV__NPZ_MEMBERS];
    int dims[SPMV__NPZ_MEMBERS];
    spmv_type type;  /* of data */
    bool logical;    /* data is True and False */
    int64_t claimed; /* bytes of the members so far */
} npz_parts;

static spmv_status fail(const npz_parts *P, spmv_error *err, const char *sentence, const char *name)
{
    return spmv__source_fail(P->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, sentence, name);
}

/* ---- Members -------------------------------------------------------------------------------- */

/* Bytes, or characters of four bytes each. */
static spmv_status take_format(npz_parts *P, spmv__npz_member which, spmv__npy_reader *reader,
                               spmv_error *err)
{
    const spmv__npy *head = &reader->head;
    unsigned char text[12];
    (void)which;
    if ((head->kind != 'S' && head->kind != 'U') || head->count != 1)
        return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT,
                              "is not the name of a format of SciPy");
    const spmv_status st = reader->take(reader, text, head->size, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__npy_to_native(head, text, 1);
    for (int k = 0; k < 3; k++) P->format[k] = (char)text[k * head->size / 3];
    return SPMV_SUCCESS;
}

static spmv_status take_long(npz_parts *P, spmv__npz_member which, spmv__npy_reader *reader,
                             spmv_error *err)
{
    const int64_t n = reader->head.count;
    const spmv_status st = spmv__alloc(&P->array[which], n, sizeof(int64_t), reader->name, err);
    return st == SPMV_SUCCESS ? spmv__npy_take_i64(reader, P->array[which], err) : st;
}

static spmv_status take_short(npz_parts *P, spmv__npz_member which, spmv__npy_reader *reader,
                              spmv_error *err)
{
    const int64_t n = reader->head.count;
    const spmv_status st = spmv__alloc(&P->array[which], n, sizeof(int32_t), reader->name, err);
    return st == SPMV_SUCCESS ? spmv__npy_take_i32(reader, P->array[which], err) : st;
}

static spmv_status take_data(npz_parts *P, spmv__npz_member which, spmv__npy_reader *reader,
                             spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__npy_value_type(reader, &P->type, err));
    SPMV__TRY(spmv__alloc(&P->array[which], reader->head.count, spmv_type_size(P->type),
                          reader->name, err));
    SPMV__TRY(spmv__npy_take_values(reader, P->type, P->array[which], err));
    P->logical = reader->head.kind == 'b';
done:
    return st;
}

/* The arrays that matter, and how many dimensions each has; others are skipped. */
static const struct {
    spmv_status (*take)(npz_parts *P, spmv__npz_member which, spmv__npy_reader *reader,
                        spmv_error *err);
    int dims;
} takes[SPMV__NPZ_MEMBERS] = {
    [SPMV__NPZ_FORMAT] = {take_format, 0}, [SPMV__NPZ_SHAPE] = {take_long, 1},
    [SPMV__NPZ_DATA] = {take_data, 1},     [SPMV__NPZ_INDICES] = {take_short, 1},
    [SPMV__NPZ_INDPTR] = {take_long, 1},   [SPMV__NPZ_ROW] = {take_long, 1},
    [SPMV__NPZ_COL] = {take_long, 1},
};

static spmv_status take_bytes(spmv__npy_reader *reader, void *out, int64_t size, spmv_error *err)
{
    int64_t got;
    const spmv_status st = spmv__archive_read(reader->from, out, size, &got, err);
    if (st != SPMV_SUCCESS || got == size) return st;
    return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT,
                          "is %" PRId64 " bytes shorter than the archive says", size - got);
}

/* Going on to the end verifies the checksum. */
static spmv_status finish_member(const spmv__npy_reader *reader, spmv_error *err)
{
    unsigned char more;
    int64_t got;
    const spmv_status st = spmv__archive_read(reader->from, &more, 1, &got, err);
    if (st != SPMV_SUCCESS || got == 0) return st;
    return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT,
                          "is longer than the archive says");
}

/* No memory is asked for on the word of an archive that could not hold as much, nor for more than
 * any packed file may come to. */
static spmv_status check_claim(npz_parts *P, const spmv__npy_reader *reader, spmv_error *err)
{
    spmv_error reason;
    if (reader->left < 0 || reader->left / SPMV__DEFLATE_LIMIT > reader->src->size)
        return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT,
                              "is to have %" PRId64 " bytes, in an archive of %" PRId64,
                              reader->left, reader->src->size);
    P->claimed += reader->left;
    if (spmv__growth_check(reader->src->size, P->claimed, &reason) == SPMV_SUCCESS)
        return SPMV_SUCCESS;
    return fail(P, err, "%s", reason.message);
}

static spmv_status take_member(npz_parts *P, spmv__npz_member which, spmv__archive *archive,
                               spmv_error *err)
{
    spmv__npy_reader reader = {.src = P->src,
                               .name = spmv__npz_names[which],
                               .left = spmv__archive_claim(archive),
                               .take = take_bytes,
                               .from = archive};
    spmv_status st;

    if (P->seen[which]) return fail(P, err, "%s appears twice", reader.name);
    P->seen[which] = true;
    SPMV__TRY(check_claim(P, &reader, err));
    SPMV__TRY(spmv__npy_begin(&reader, err));
    /* data of bsr and dia has more dimensions: the format explains that better. */
    if (reader.head.dims != takes[which].dims && which != SPMV__NPZ_DATA)
        return spmv__npy_fail(&reader, err, SPMV_ERROR_INVALID_FORMAT,
                              "has %d dimensions, expected %d", reader.head.dims,
                              takes[which].dims);
    P->count[which] = reader.head.count;
    P->dims[which] = reader.head.dims;
    SPMV__TRY(takes[which].take(P, which, &reader, err));
    SPMV__TRY(finish_member(&reader, err));
done:
    return st;
}

static spmv_status take_members(npz_parts *P, spmv_error *err)
{
    spmv__archive *archive = NULL;
    const char *name;
    spmv_status st;

    SPMV__TRY(spmv__archive_open(&archive, NULL, P->src->data, P->src->size, err));
    SPMV__TRY(spmv__archive_next(archive, &name, err));
    while (name != NULL) {
        for (int i = 0; i < SPMV__NPZ_MEMBERS; i++)
            if (strcmp(name, spmv__npz_names[i]) == 0)
                SPMV__TRY(take_member(P, (spmv__npz_member)i, archive, err));
        SPMV__TRY(spmv__archive_next(archive, &name, err));
    }
done:
    spmv__archive_close(archive);
    return st;
}

/* ---- The matrix ----------------------------------------------------------------------------- */

/* The layout of the named format, of which every array is there, and a shape of two numbers. */
static spmv_status find_layout(const npz_parts *P, const spmv__npz_layout **out, spmv_error *err)
{
    const spmv__npz_layout *layout = NULL;
    char name[4];
    if (!P->seen[SPMV__NPZ_FORMAT])
        return fail(P, err, "the archive holds no sparse matrix of SciPy: there is no %s",
                    spmv__npz_names[SPMV__NPZ_FORMAT]);
    for (int i = 0; i < SPMV__NPZ_LAYOUTS; i++)
        if (memcmp(spmv__npz_layouts[i].name, P->format, sizeof P->format) == 0)
            layout = &spmv__npz_layouts[i];
    for (int k = 0; k < 4; k++) name[k] = P->format[k] < ' ' && k < 3 ? '?' : P->format[k];
    if (layout == NULL)
        return spmv__source_fail(P->src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                 "SciPy's format '%s' is not supported: convert the matrix with "
                                 "tocsr() before saving it",
                                 name);
    if (P->seen[SPMV__NPZ_SHAPE] && P->count[SPMV__NPZ_SHAPE] != 2)
        return spmv__source_fail(P->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "the shape has %" PRId64 " dimension%s; a matrix has two",
                                 P->count[SPMV__NPZ_SHAPE],
                                 P->count[SPMV__NPZ_SHAPE] == 1 ? "" : "s");
    const spmv__npz_member needed[] = {SPMV__NPZ_SHAPE, SPMV__NPZ_DATA, layout->indices,
                                       layout->offsets};
    for (int k = 0; k < 4; k++)
        if (!P->seen[needed[k]]) return fail(P, err, "there is no %s", spmv__npz_names[needed[k]]);
    *out = layout;
    return SPMV_SUCCESS;
}

/* The arrays have the lengths that shape and format ask for.  SciPy allows room after the last
 * entry of csr and csc. */
static spmv_status check_counts(const npz_parts *P, const spmv__npz_layout *layout, spmv_matrix *A,
                                spmv_error *err)
{
    const int64_t *count = P->count, *offsets = P->array[layout->offsets];
    int64_t groups = A->format == SPMV_CSC ? A->head.cols : A->head.rows;

    if (P->dims[SPMV__NPZ_DATA] != 1)
        return spmv__source_fail(P->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "%s has %d dimensions, expected 1",
                                 spmv__npz_names[SPMV__NPZ_DATA], P->dims[SPMV__NPZ_DATA]);
    A->head.nnz = count[SPMV__NPZ_DATA];
    if (count[layout->indices] != count[SPMV__NPZ_DATA])
        return spmv__source_fail(P->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "there are %" PRId64 " values, but %" PRId64 " elements in %s",
                                 count[SPMV__NPZ_DATA], count[layout->indices],
                                 spmv__npz_names[layout->indices]);
    if (A->format == SPMV_COO) groups = A->head.nnz - 1;
    if (count[layout->offsets] != groups + 1)
        return spmv__source_fail(P->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "%s has %" PRId64 " elements, expected %" PRId64,
                                 spmv__npz_names[layout->offsets], count[layout->offsets],
                                 groups + 1);
    if (A->format == SPMV_COO) return SPMV_SUCCESS;
    if (offsets[groups] >= 0 && offsets[groups] < A->head.nnz) A->head.nnz = offsets[groups];
    return spmv__check_offsets(offsets, groups, A->head.nnz, "indptr", err);
}

/* Values that are all True are those of a pattern. */
static bool all_true(const npz_parts *P, int64_t nnz)
{
    const double *val = P->array[SPMV__NPZ_DATA];
    for (int64_t p = 0; p < nnz; p++)
        if (val[p] != 1) return false;
    return true;
}

static void *move(void **array)
{
    void *moved = *array;
    *array = NULL;
    return moved;
}

/* The arrays move into A, whose head is complete. */
static void move_arrays(npz_parts *P, const spmv__npz_layout *layout, spmv_matrix *A)
{
    const spmv__format *format = spmv__format_of(A->format);
    for (int a = 0; a < format->array_count; a++) {
        const spmv__array *array = &format->arrays[a];
        const spmv__npz_member which = a == 0                          ? layout->offsets
                                       : array->element == SPMV__VALUE ? SPMV__NPZ_DATA
                                                                       : layout->indices;
        if (spmv__element_size(array->element, A->head.type) > 0)
            *spmv__array_pointer(A, array) = move(&P->array[which]);
    }
}

/* A in any order, with each index in range or not, as sorted coordinates. */
static spmv_status sort(const spmv_matrix *A, spmv_duplicates duplicates, int64_t *merged,
                        spmv_matrix *out, spmv_error *err)
{
    spmv_status st;
    spmv_coo B = {0};
    const int64_t *ptr = A->csr.row_ptr;
    const int64_t groups = A->format == SPMV_CSC ? A->head.cols : A->head.rows;

    SPMV__TRY(spmv_coo_create(&B, A->head.type, A->head.rows, A->head.cols, A->head.nnz, err));
    int64_t *of_group = A->format == SPMV_CSC ? B.col_idx : B.row_idx;
    int64_t *of_entry = A->format == SPMV_CSC ? B.row_idx : B.col_idx;
    for (int64_t g = 0; g < groups; g++)
        for (int64_t p = ptr[g]; p < ptr[g + 1]; p++) {
            of_group[p] = g;
            of_entry[p] = A->csr.col_idx[p];
            spmv__copy_value(B.type, B.val, p, A->csr.val, p);
        }
    SPMV__TRY(spmv_coo_sort(&B, duplicates, merged, err));
    out->format = SPMV_COO;
    out->coo = B;
    B = (spmv_coo){0};
done:
    spmv_coo_destroy(&B);
    return st;
}

/* Sorted coordinates in CSR or CSC; they move.  The way to CSC is that to CSR of the transpose: the
 * offsets of rows, of which there may be any number, are in no file. */
static spmv_status compress(spmv_matrix *out, spmv_matrix *sorted, spmv_format format,
                            spmv_error *err)
{
    spmv_matrix T = {0}, B = {0};
    spmv_status st;
    if (format == SPMV_CSR) return spmv__convert_move(out, sorted, format, NULL, err);
    SPMV__TRY(spmv_transpose(&T, sorted, NULL, err));
    SPMV__TRY(spmv__convert_move(&B, &T, SPMV_CSR, NULL, err));
    *out = spmv__relabel(&B);
done:
    return st;
}

/* *A keeps every promise of its format: it is left as it is when it does already. */
static spmv_status put_in_order(const npz_parts *P, spmv_matrix *A, int64_t *merged,
                                spmv_error *err)
{
    spmv_matrix sorted = {0}, B = {0};
    spmv_error reason;
    spmv_status st = spmv_check(A, &reason);

    if (st == SPMV_SUCCESS || st == SPMV_ERROR_OUT_OF_MEMORY) goto done;
    if (A->format == SPMV_COO) {
        SPMV__TRY(spmv_coo_sort(&A->coo, P->options->duplicates, merged, &reason));
    } else {
        SPMV__TRY(sort(A, P->options->duplicates, merged, &sorted, &reason));
        SPMV__TRY(compress(&B, &sorted, A->format, &reason));
        spmv_destroy(A);
        *A = B;
    }
done:
    spmv_destroy(&sorted);
    if (st != SPMV_SUCCESS) spmv__source_fail(P->src, err, st, 0, 0, "%s", reason.message);
    return st;
}

/* The matrix of the parts, which move into it. */
static spmv_status build(npz_parts *P, spmv_matrix *out, spmv_file_info *info, spmv_error *err)
{
    const spmv__npz_layout *layout = NULL;
    spmv_matrix A = {0};
    spmv_error reason;
    spmv_status st;

    SPMV__TRY(find_layout(P, &layout, err));
    const int64_t *shape = P->array[SPMV__NPZ_SHAPE];
    A = spmv__blank(layout->format, P->type, SPMV_GENERAL, shape[0], shape[1], 0);
    st = spmv__check_head(&A, &reason);
    if (st != SPMV_SUCCESS) return spmv__source_fail(P->src, err, st, 0, 0, "%s", reason.message);
    SPMV__TRY(check_counts(P, layout, &A, err));
    if (P->logical && all_true(P, A.head.nnz)) A.head.type = SPMV_PATTERN;
    move_arrays(P, layout, &A);
    info->entries = A.head.nnz;
    info->has_values = A.head.type != SPMV_PATTERN;
    SPMV__TRY(put_in_order(P, &A, &info->duplicates, err));
    *out = A;
    A = (spmv_matrix){0};
done:
    spmv_destroy(&A);
    return st;
}

static spmv_status read_matrix(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info,
                               spmv_error *err)
{
    npz_parts P = {.src = src, .options = options};
    spmv_matrix A = {0};
    spmv_status st;

    SPMV__TRY(take_members(&P, err));
    SPMV__TRY(build(&P, &A, info, err));
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){0};
done:
    spmv_destroy(&A);
    for (int i = 0; i < SPMV__NPZ_MEMBERS; i++) free(P.array[i]);
    return st;
}

const spmv__file_format spmv__npz_file = {
    .info = {.name = "npz",
             .suffixes = ".npz",
             .summary = "SciPy sparse matrix (save_npz): csr, csc or coo",
             .reads = true,
             .writes = true},
    .recognise = spmv__npz_recognise,
    .read = read_matrix,
    .write = spmv__npz_write,
};
