/* steps.c -- a matrix that becomes another one in place. */
#include "cli/tool/steps.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"

#include <inttypes.h>
#include <string.h>

static void replace_matrix(spmv_matrix *A, const spmv_matrix *B)
{
    spmv_destroy(A);
    *A = *B;
}

spmv_status step_apply(spmv_matrix *A, step_change *change, spmv_error *err)
{
    spmv_matrix B;
    const spmv_convert_options build = {.progress = tool_progress_bytes};
    const spmv_status st = change(&B, A, &build, err);
    if (st == SPMV_SUCCESS) replace_matrix(A, &B);
    return st;
}

void step_warn_lost(const char *path, const spmv_losses *lost)
{
    if (lost->infinite == 0 && lost->vanished == 0) return;
    tool_warn("%s: values that become infinite in single precision: %" PRId64
              ", that become 0: %" PRId64 "; the first is %g in row %" PRId64 ", column %" PRId64,
              tool_input_name(path), lost->infinite, lost->vanished, lost->value, lost->row + 1,
              lost->col + 1);
}

bool step_is_single(spmv_type type)
{
    return type == SPMV_F32 || type == SPMV_C64;
}

bool step_rounds(spmv_type stored, spmv_type type)
{
    return step_is_single(type) && (stored == SPMV_F64 || stored == SPMV_C128);
}

double step_product_flops(spmv_type a, spmv_type b)
{
    return 2.0 * (spmv_type_is_complex(a) ? 2 : 1) * (spmv_type_is_complex(b) ? 2 : 1);
}

spmv_status step_values(spmv_matrix *out, const spmv_matrix *A, spmv_type type, const char *path,
                        spmv_error *err)
{
    spmv_losses lost;
    spmv_status st = spmv_convert_values(out, A, type, err);
    if (st != SPMV_SUCCESS || !step_rounds(A->head.type, type)) return st;
    st = spmv_single_losses(A, &lost, err);
    if (st == SPMV_SUCCESS) step_warn_lost(path, &lost);
    return st;
}

spmv_status step_before_transpose(spmv_matrix *A, spmv_error *err)
{
    const int64_t rows = A->head.rows, cols = A->head.cols;
    const int64_t most = A->format != SPMV_CSR && rows > cols ? rows : cols;
    if (most <= (int64_t)1 << 20 || most / 8 <= A->head.nnz) return SPMV_SUCCESS;
    return step_format(A, SPMV_COO, NULL, err);
}

spmv_status step_type(spmv_matrix *A, spmv_type type, const char *path, spmv_error *err)
{
    spmv_matrix B;
    if (A->head.type == type) return SPMV_SUCCESS;
    const spmv_status st = step_values(&B, A, type, path, err);
    if (st == SPMV_SUCCESS) replace_matrix(A, &B);
    return st;
}

spmv_status step_format(spmv_matrix *A, spmv_format format, const spmv_convert_options *build,
                        spmv_error *err)
{
    spmv_matrix B;
    const spmv_convert_options none = {0};
    spmv_convert_options with = build != NULL ? *build : none;
    if (A->format == format && memcmp(&with, &none, sizeof none) == 0) return SPMV_SUCCESS;
    with.progress = tool_progress_bytes;
    const spmv_status st = spmv_convert(&B, A, format, &with, err);
    if (st == SPMV_SUCCESS) replace_matrix(A, &B);
    return st;
}

/* What all tools ask of the library's reader, beside `options`, which may be NULL. */
static spmv_read_options reader_options(const common_options *common,
                                        const spmv_read_options *options)
{
    spmv_read_options with = options != NULL ? *options : (spmv_read_options){0};
    if (common->from != NULL) with.file_format = common->from;
    with.member = common->member;
    with.threads = (int)common->threads;
    with.warn = tool_warn_reader;
    with.progress = tool_progress_bytes;
    return with;
}

/* Call the library's reader with the options of all tools; the phase goes on. */
static spmv_status read_file(spmv_matrix *A, const char *path, const common_options *common,
                             const spmv_read_options *options, spmv_file_info *info,
                             spmv_error *err)
{
    const spmv_read_options with = reader_options(common, options);
    *info = (spmv_file_info){0};
    tool_phase_begin("read", tool_input_name(path));
    return spmv_read(A, path, &with, info, err);
}

spmv_status step_read_stored(spmv_matrix *A, const char *path, const common_options *common,
                             const spmv_read_options *options, spmv_file_info *info,
                             spmv_error *err)
{
    const spmv_status st = read_file(A, path, common, options, info, err);
    tool_phase_end(info->bytes);
    return st;
}

spmv_status step_read(spmv_matrix *A, const char *path, const common_options *common,
                      const spmv_read_options *options, spmv_file_info *info, spmv_error *err)
{
    spmv_file_info facts;
    spmv_status st = read_file(A, path, common, options, &facts, err);
    /* Text is expanded while it is read; a binary file may still hold a triangle. */
    if (st == SPMV_SUCCESS && A->head.symmetry != SPMV_GENERAL)
        st = step_apply(A, spmv_expand, err);
    tool_phase_end(facts.bytes);
    if (info != NULL)
        *info = facts;
    else
        spmv_labels_destroy(&facts.labels);
    return st;
}

spmv_status step_read_part(spmv_part *part, spmv_comm *comm, const char *path,
                           const common_options *common, spmv_partition partition,
                           const spmv_read_options *options, spmv_file_info *info, spmv_error *err)
{
    const spmv_read_options with = reader_options(common, options);
    spmv_file_info facts = {0};
    tool_phase_begin("read", tool_input_name(path));
    const spmv_status st = spmv_read_part(part, comm, path, partition, &with, &facts, err);
    tool_phase_end(facts.bytes);
    if (info != NULL)
        *info = facts;
    else
        spmv_labels_destroy(&facts.labels);
    return st;
}

/* A format that this build lacks is named, too: it says what it needs. */
const char *step_input_name(int i)
{
    const spmv_file_format *f = spmv_file_format_at(i);
    return f != NULL ? f->name : spmv_file_format_variant(i - spmv_file_format_count());
}

/* For --to the name of a storage format is that of a binary file. */
const char *step_input_meant(const char *text)
{
    spmv_format format;
    return spmv_format_find(text, &format) ? "binary" : NULL;
}

void step_blame_ids(spmv_status st, bool all_ids, spmv_error *err)
{
    const size_t length = strlen(err->message);
    if (!all_ids || (st != SPMV_ERROR_INVALID_DIMENSION && st != SPMV_ERROR_OUT_OF_MEMORY)) return;
    snprintf(err->message + length, sizeof err->message - length,
             "; without --all-ids only the nodes that have edges are numbered");
}

void step_warn_skipped(const char *name, const spmv_file_info *file)
{
    if (file->skipped > 0)
        tool_warn("%s: entries outside the matrix are left out: %" PRId64 " of %" PRId64, name,
                  file->skipped, file->entries);
}

spmv_status step_check_kinds(const spmv_file_info *file, spmv_error *err)
{
    if (!file->bipartite) return SPMV_SUCCESS;
    return tool_fail(err, SPMV_ERROR_INVALID_DIMENSION,
                     "rows and columns are two kinds of nodes, not those of one graph");
}

spmv_status step_undirected(spmv_matrix *A, bool count, const char *path, spmv_error *err)
{
    const bool counts = count && A->head.type == SPMV_PATTERN;
    spmv_status st = SPMV_SUCCESS;
    int64_t given;
    if (A->head.symmetry == SPMV_SYMMETRIC) return st;
    if (A->head.symmetry != SPMV_GENERAL) TOOL_TRY(step_apply(A, spmv_expand, err));
    given = A->head.nnz;
    if (counts) TOOL_TRY(step_type(A, SPMV_F64, path, err));
    TOOL_TRY(step_apply(A, spmv_symmetrize, err));
    /* A symmetric pattern has each edge both ways already, and nothing to count. */
    if (counts && A->head.nnz == given) TOOL_TRY(step_type(A, SPMV_PATTERN, path, err));
done:
    return st;
}

void step_blank(spmv_dense *y)
{
    memset(y->data, 0xff, (size_t)(y->rows * y->cols) * spmv_type_size(y->type));
}

spmv_status step_check_vectors(const spmv_row_stats *stats, int y, int64_t vectors, spmv_type type,
                               spmv_error *err)
{
    const double elements = 2 * (double)stats->cols + y * (double)stats->rows;
    const double size = (double)spmv_type_size(type) * (double)vectors;
    return spmv_check_memory(elements * size, "multiplying", err);
}
