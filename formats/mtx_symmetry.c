/* mtx_symmetry.c -- what symmetries and complex values turn into. */
#include "mtx.h"

double spmv__mtx_part(const spmv__mtx_header *header, const spmv_read_options *options,
                      const spmv__mtx_value *value)
{
    if (header->field != SPMV__MTX_COMPLEX) return value->re;
    return spmv__complex_part(options->complex_values, value->re, value->im);
}

/* A^H = A: the real part is symmetric, the imaginary part skew, the absolute value symmetric.
 * A^T = -A: so are both parts, but the absolute value is symmetric. */
spmv_symmetry spmv__mtx_result_symmetry(const spmv__mtx_header *header,
                                        const spmv_read_options *options)
{
    bool complex_values = header->field == SPMV__MTX_COMPLEX;
    bool absolute = complex_values && options->complex_values == SPMV_COMPLEX_ABS;
    bool imaginary = complex_values && options->complex_values == SPMV_COMPLEX_IMAG;
    if (header->symmetry == SPMV__MTX_GENERAL) return SPMV_GENERAL;
    if (header->symmetry == SPMV__MTX_SKEW) return absolute ? SPMV_SYMMETRIC : SPMV_SKEW;
    return header->symmetry == SPMV__MTX_HERMITIAN && imaginary ? SPMV_SKEW : SPMV_SYMMETRIC;
}

bool spmv__mtx_check_diagonal(spmv__text *text, const spmv__mtx_header *header,
                              const spmv_read_options *options, const unsigned char *place,
                              const spmv__mtx_value *value, bool *keep)
{
    *keep = spmv__mtx_result_symmetry(header, options) != SPMV_SKEW;
    if (header->symmetry == SPMV__MTX_HERMITIAN && value->im != 0)
        return spmv__text_fault(
            text, place,
            "the diagonal of a hermitian matrix is real, but this imaginary part "
            "is %g",
            value->im);
    if (header->symmetry != SPMV__MTX_SKEW) return true;
    *keep = false;
    if (value->re != 0 || value->im != 0)
        return spmv__text_fault(
            text, place, "the diagonal of a skew-symmetric matrix is 0, but this value is %g",
            value->re != 0 ? value->re : value->im);
    spmv__text_note(text, SPMV__ODD_SKEW_DIAGONAL, place);
    return true;
}
