/* complex_part.c -- from complex values to real ones. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/matrix/modulus.h"
#include "core/convert/convert.h"

static double real_part(spmv_scalar value)
{
    return value.re;
}

static double imaginary_part(spmv_scalar value)
{
    return value.im;
}

/* The parts that can be taken, and the symmetry that each of them has. */
static const struct {
    double (*of)(spmv_scalar value);
    spmv_symmetry symmetry[SPMV_SYMMETRIES];
} parts[] = {
    [SPMV_COMPLEX_REAL] = {real_part,
                           {[SPMV_SYMMETRIC] = SPMV_SYMMETRIC,
                            [SPMV_SKEW] = SPMV_SKEW,
                            [SPMV_HERMITIAN] = SPMV_SYMMETRIC}},
    [SPMV_COMPLEX_IMAG] = {imaginary_part,
                           {[SPMV_SYMMETRIC] = SPMV_SYMMETRIC,
                            [SPMV_SKEW] = SPMV_SKEW,
                            [SPMV_HERMITIAN] = SPMV_SKEW}},
    [SPMV_COMPLEX_ABS] = {spmv__modulus,
                          {[SPMV_SYMMETRIC] = SPMV_SYMMETRIC,
                           [SPMV_SKEW] = SPMV_SYMMETRIC,
                           [SPMV_HERMITIAN] = SPMV_SYMMETRIC}},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

double spmv__complex_part(spmv_complex_part part, spmv_scalar value)
{
    return parts[part].of(value);
}

/* The real values take the place of the complex ones; both lie in order, and no real value reaches
 * beyond the complex one that it comes from. */
static void take(spmv_coo *A, spmv_complex_part part)
{
    const spmv_type from = A->type, to = from == SPMV_C64 ? SPMV_F32 : SPMV_F64;
    int64_t q = 0;
    A->type = to;
    A->symmetry = parts[part].symmetry[A->symmetry];
    for (int64_t p = 0; p < A->nnz; p++) {
        const bool diagonal = A->row_idx[p] == A->col_idx[p];
        if (diagonal && A->symmetry == SPMV_SKEW) continue;
        A->row_idx[q] = A->row_idx[p];
        A->col_idx[q] = A->col_idx[p];
        spmv__set_value(to, A->val, q++, spmv__complex_part(part, spmv__scalar(from, A->val, p)));
    }
    A->nnz = q;
}

spmv_status spmv_take_complex_part(spmv_matrix *out, const spmv_matrix *A, spmv_complex_part part,
                                   spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE((unsigned)part < PARTS, err);
    spmv_matrix B;
    if (part == SPMV_COMPLEX_KEEP || !spmv_type_is_complex(A->head.type))
        return spmv__copy(out, A, err);
    spmv_status st = spmv_convert(&B, A, SPMV_COO, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    take(&B.coo, part);
    return spmv__convert_move(out, &B, A->format, NULL, err);
}
