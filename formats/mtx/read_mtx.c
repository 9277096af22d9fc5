/* read_mtx.c -- Matrix Market files become CSR or COO: each coordinate once, symmetry expanded
 * unless it is to be kept.
 *
 * Coordinate entries of the usual kinds take the quick way (quick_csr.c).  All else, and what turns
 * out to be odd on that way, is read to COO, one entry after the other, and put in order there.
 *
 * Specification: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats: Initial
 * Design", NISTIR 5935, 1996.  What it leaves open, and what we make of it, is in
 * spmv-formats(5). */
#include "core/base/ascii.h"
#include "core/matrix/value.h"
#include "core/convert/convert.h"
#include "formats/codecs/unpack.h"
#include "formats/common/file_format.h"
#include "formats/mtx/mtx.h"

#include <stdlib.h>
#include <string.h>

/* Leading blanks and a byte order mark do not hide a banner. */
static bool recognise(const unsigned char *data, int64_t size)
{
    static const char banner[] = "%matrixmarket";
    const unsigned char *p = data, *end = data + size;
    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0') p++;
    if (end - p >= 2 && p[0] == '%' && p[1] == '%') p++;
    return end - p >= (ptrdiff_t)(sizeof banner - 1) && spmv__alike(p, banner, sizeof banner - 1);
}

/* The values of an array that are not 0, as coordinate entries. */
static spmv_status gather(const spmv__mtx_header *header, const void *val, spmv_coo *A,
                          spmv_error *err)
{
    const spmv_type type = spmv__mtx_type(header);
    int64_t n = 0, q = 0, r = header->symmetry == SPMV_SKEW ? 1 : 0, c = 0;
    for (int64_t k = 0; k < header->entries; k++) n += !spmv__is_zero(spmv__scalar(type, val, k));
    spmv_status st = spmv_coo_create(A, type, header->rows, header->cols, n, err);
    if (st != SPMV_SUCCESS) return st;

    for (int64_t k = 0; k < header->entries; k++) {
        if (!spmv__is_zero(spmv__scalar(type, val, k))) {
            A->row_idx[q] = r;
            A->col_idx[q] = c;
            spmv__copy_value(type, A->val, q++, val, k);
        }
        if (++r < header->rows) continue;
        c++;
        r = header->symmetry == SPMV_GENERAL ? 0 : c + (header->symmetry == SPMV_SKEW);
    }
    return spmv_coo_sort(A, SPMV_DUPLICATES_ERROR, NULL, err);
}

static spmv_status read_entries(spmv__mtx_reader *reader, spmv_coo *A, spmv_file_info *info,
                                spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    void *val = NULL;
    if (reader->header.array) {
        SPMV__TRY(spmv__mtx_load_values(reader, &val, err));
        SPMV__TRY(gather(&reader->header, val, A, err));
    } else {
        SPMV__TRY(spmv__mtx_load_entries(reader, A, &info->skipped, err));
        SPMV__TRY(spmv__mtx_order(reader, A, &info->duplicates, err));
    }
done:
    free(val);
    return st;
}

static const char *const field_names[] = {
    [SPMV__MTX_REAL] = "real",
    [SPMV__MTX_INTEGER] = "integer",
    [SPMV__MTX_UNSIGNED] = "unsigned-integer",
    [SPMV__MTX_COMPLEX] = "complex",
    [SPMV__MTX_PATTERN] = "pattern",
};

/* Read *A to COO, and from there to what it is to be. */
static spmv_status read_carefully(spmv__mtx_reader *reader, spmv_matrix *A, bool csr,
                                  spmv_file_info *info, spmv_error *err)
{
    const spmv_read_options *options = reader->options;
    spmv_status st;
    spmv_matrix B;
    SPMV__TRY(read_entries(reader, &A->coo, info, err));
    A->head.symmetry = reader->header.symmetry;
    SPMV__TRY(spmv__finish_read(A, options, err));
    if (csr) {
        SPMV__TRY(spmv__convert_move(&B, A, SPMV_CSR, NULL, err));
        *A = B;
    }
done:
    return st;
}

/* Banner and size, and what the caller is told of them.  *quick: the quick way may do the rest. */
static spmv_status begin(spmv__mtx_reader *reader, const spmv__source *src,
                         const spmv_read_options *options, spmv_file_info *info, bool *csr,
                         bool *quick, spmv_error *err)
{
    const spmv__mtx_header *header = &reader->header;
    const spmv_status st = spmv__mtx_open(reader, src, options, err);
    if (st != SPMV_SUCCESS) return st;
    info->entries = header->entries;
    info->field = field_names[header->field];
    info->has_values = header->field != SPMV__MTX_PATTERN;
    info->symmetry = header->symmetry;
    info->labels.first = options->index_base == SPMV_BASE_0 ? 0 : 1;
    *csr = spmv__mtx_fits_csr(reader);
    /* A part of complex values is taken before they are expanded. */
    *quick = *csr && !header->array && !header->vector &&
             (header->field != SPMV__MTX_COMPLEX || options->complex_values == SPMV_COMPLEX_KEEP);
    return SPMV_SUCCESS;
}

static spmv_status read_memory(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, int64_t block_bytes,
                               spmv_file_info *info, spmv_error *err)
{
    spmv_status st;
    spmv__mtx_reader reader;
    spmv_matrix A = {.format = SPMV_COO}, B = {.format = SPMV_CSR};
    bool csr, quick, done = false;

    SPMV__TRY(begin(&reader, src, options, info, &csr, &quick, err));
    if (quick) SPMV__TRY(spmv__mtx_read_csr(&B.csr, &reader, NULL, block_bytes, info, &done, err));
    if (!done) SPMV__TRY(read_carefully(&reader, &A, csr, info, err));
    SPMV__TRY(spmv__text_report_oddities(src, &reader.text, options, err));
    *out = done ? B : A;
    A = B = (spmv_matrix){.format = SPMV_COO};
done:
    spmv_destroy(&A);
    spmv_destroy(&B);
    return st;
}

/* While the text is being unpacked.  *done is false when nothing came of it that way, be it an
 * error or a remark: places can only be told in a text that is there. */
static spmv_status read_stream(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info, bool *done,
                               spmv_error *err)
{
    spmv__mtx_reader reader;
    spmv_matrix A = {.format = SPMV_CSR};
    bool csr, quick;
    *done = false;
    if (begin(&reader, src, options, info, &csr, &quick, NULL) != SPMV_SUCCESS || !quick)
        return SPMV_SUCCESS;
    const spmv_status st = spmv__mtx_read_csr(&A.csr, &reader, src, 0, info, done, err);
    if (*done) *out = A;
    return st;
}

spmv_status spmv__mtx_read_blocks(spmv_matrix *out, spmv__source *src,
                                  const spmv_read_options *options, int64_t block_bytes,
                                  spmv_file_info *info, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    bool done = false;
    if (spmv__source_is_partial(src)) {
        SPMV__TRY(read_stream(out, src, options, info, &done, err));
        if (done) return SPMV_SUCCESS;
        SPMV__TRY(spmv__source_rewind(src, err));
    }
    SPMV__TRY(spmv__source_whole(src, options, err));
    st = read_memory(out, src, options, block_bytes, info, err);
done:
    return st;
}

static spmv_status read_matrix(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info,
                               spmv_error *err)
{
    return spmv__mtx_read_blocks(out, src, options, 0, info, err);
}

const spmv__file_format spmv__mtx_file = {
    .info = {.name = "mtx",
             .suffixes = ".mtx .mm",
             .summary = "Matrix Market, coordinate or array",
             .reads = true,
             .writes = true,
             .text = true},
    .recognise = recognise,
    .pieces = true,
    .read = read_matrix,
    .write = spmv_write_mtx,
    .rows = &spmv__mtx_rows,
    .read_vector = spmv__mtx_read_vector,
    .write_vector = spmv__mtx_write_vector,
};
