/* convert_matrix.c -- the steps from the matrix as it was read to the one that is written. */
#include "convert.h"

static spmv_format wanted_format;

static spmv_type wanted_type(spmv_type present)
{
    static const spmv_type types[] = {SPMV_F32, SPMV_F64, SPMV_PATTERN};
    if (convert_opt.values != VALUES_KEEP) return types[convert_opt.values];
    return present == SPMV_PATTERN ? present : common_precision(present);
}

static bool wants_expand(const spmv_matrix *A)
{
    return convert_opt.symmetric == SYMMETRIC_EXPAND && A->head.symmetry != SPMV_GENERAL;
}

static bool wants_drop(const spmv_matrix *A)
{
    return convert_opt.drop_zeros && A->head.type != SPMV_PATTERN;
}

static bool wants_type(const spmv_matrix *A)
{
    return wanted_type(A->head.type) != A->head.type;
}

static spmv_status change_type(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    return spmv_convert_values(out, A, wanted_type(A->head.type), err);
}

static bool wants_transpose(const spmv_matrix *A)
{
    (void)A;
    return convert_opt.transpose;
}

static bool wants_format(const spmv_matrix *A)
{
    return wanted_format != A->format || convert_opt.ell_width > 0 || convert_opt.hyb_width >= 0;
}

static spmv_status change_format(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    /* Here a width of 0 means none; there it means the default, and -1 none. */
    const int64_t width = convert_opt.hyb_width;
    const spmv_build build = {.ell_width = convert_opt.ell_width,
                              .hyb_width = width < 0   ? 0
                                           : width > 0 ? width
                                                       : -1};
    return spmv_convert(out, A, wanted_format, &build, err);
}

/* In this order: dropping and narrowing first, so that what follows has less to move. */
static const struct {
    bool (*wanted)(const spmv_matrix *A);
    spmv_status (*apply)(spmv_matrix *out, const spmv_matrix *A, spmv_error *err);
} steps[] = {
    {wants_expand, spmv_expand},       {wants_drop, spmv_drop_zeros}, {wants_type, change_type},
    {wants_transpose, spmv_transpose}, {wants_format, change_format},
};

spmv_status convert_matrix(spmv_matrix *A, spmv_format format, spmv_error *err)
{
    wanted_format = format;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        spmv_matrix B;
        if (!steps[i].wanted(A)) continue;
        const spmv_status st = steps[i].apply(&B, A, err);
        if (st != SPMV_SUCCESS) return st;
        spmv_destroy(A);
        *A = B;
    }
    return SPMV_SUCCESS;
}
