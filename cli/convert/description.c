/* description.c -- what spmv-convert --info finds out about a file. */
#include "cli/convert/description.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

/* ---- Finding out ---------------------------------------------------------------------------- */

static spmv_status measure_formats(description *d, const spmv_matrix *A, spmv_error *err)
{
    for (spmv_format f = 0; f < SPMV_FORMATS; f++) {
        const spmv_status st = spmv_size_of(A, f, NULL, &d->sizes[f], err);
        if (st != SPMV_SUCCESS && st != SPMV_ERROR_UNSUPPORTED &&
            st != SPMV_ERROR_INVALID_DIMENSION)
            return st;
        d->unsized[f] = st;
    }
    return SPMV_SUCCESS;
}

static spmv_status examine(const convert_options *o, description *d, spmv_matrix *A,
                           spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    d->format = A->format;
    d->type = A->head.type;
    if (!o->trust) TOOL_TRY(spmv_own_indices(A, err));
    if (A->head.symmetry != SPMV_GENERAL) TOOL_TRY(step_apply(A, spmv_expand, err));
    TOOL_TRY(spmv_row_stats_compute(A, &d->stats, err));
    TOOL_TRY(spmv_structure_compute(A, &d->structure, err));
    TOOL_TRY(measure_formats(d, A, err));
done:
    return st;
}

spmv_status description_make(description *d, const convert_options *o, const tool_input *input,
                             spmv_error *err)
{
    spmv_matrix A = {0};
    *d = (description){.path = input->path, .name = input->name};
    spmv_status st = convert_read(o, &A, input->path, false, &d->file, err);
    if (st == SPMV_SUCCESS) {
        tool_phase_begin("describe", tool_input_name(input->path));
        st = examine(o, d, &A, err);
        tool_phase_end(0);
    }
    spmv_labels_destroy(&d->file.labels);
    spmv_destroy(&A);
    return st;
}

/* ---- What follows from the counts ----------------------------------------------------------- */

const char *description_field(const description *d)
{
    return d->file.field != NULL ? d->file.field : spmv_type_name(d->type);
}

const char *description_declared(const description *d)
{
    static const char *const names[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    return names[d->file.symmetry];
}

const char *description_found(const description *d)
{
    const spmv_structure *s = &d->structure;
    const int64_t off = d->stats.nnz - s->diagonal;
    if (d->stats.rows != d->stats.cols) return "rectangular";
    if (s->equal == off) return "symmetric";
    if (s->opposite == off && s->diagonal == s->diagonal_zeros) return "skew-symmetric";
    if (s->conjugate == off && s->diagonal_imaginary == 0) return "hermitian";
    return s->mirrored == off ? "pattern symmetric" : "unsymmetric";
}

double description_share(const description *d, int64_t part)
{
    const int64_t off = d->stats.nnz - d->structure.diagonal;
    return off > 0 ? (double)part / (double)off : 1;
}

double description_density(const description *d)
{
    if (d->stats.nnz == 0) return 0;
    return (double)d->stats.nnz / (double)d->stats.rows / (double)d->stats.cols;
}

int64_t description_bin_start(int bin)
{
    return bin == 0 ? 0 : INT64_C(1) << (bin - 1);
}

int64_t description_bin_end(int bin)
{
    return bin == 0 ? 0 : description_bin_start(bin) + (description_bin_start(bin) - 1);
}
