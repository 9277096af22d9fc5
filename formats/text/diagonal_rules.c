/* diagonal_rules.c -- what a symmetry asks of the diagonal. */
#include "core/matrix/value.h"
#include "formats/text/text.h"

bool spmv__text_check_diagonal(spmv__text *text, spmv_symmetry symmetry, const unsigned char *place,
                               const spmv_scalar *value, bool *keep)
{
    *keep = symmetry != SPMV_SKEW;
    if (symmetry == SPMV_HERMITIAN && value->im != 0)
        return spmv__text_fault(
            text, place,
            "the diagonal of a hermitian matrix is real, but this imaginary part "
            "is %g",
            value->im);
    if (symmetry != SPMV_SKEW) return true;
    if (!spmv__is_zero(*value))
        return spmv__text_fault(
            text, place, "the diagonal of a skew-symmetric matrix is 0, but this value is %g",
            value->re != 0 ? value->re : value->im);
    spmv__text_note(text, SPMV__ODD_SKEW_DIAGONAL, place);
    return true;
}
