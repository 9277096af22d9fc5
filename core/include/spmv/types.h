/* spmv/types.h -- types of values and symmetries; a chapter of spmv.h, which has the conventions.
 */
#ifndef SPMV_TYPES_H
#define SPMV_TYPES_H

#include "spmv/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Type of the stored values.  A pattern stores none: each entry counts as 1.  A complex value is
 * two floats or doubles, the real part first: the layout of complex numbers in C, C++ and Fortran.
 */
typedef enum spmv_type {
    SPMV_PATTERN = 0,
    SPMV_F32 = 1,
    SPMV_F64 = 2,
    SPMV_C64 = 3,
    SPMV_C128 = 4,
    SPMV_TYPES /* how many there are */
} spmv_type;

size_t spmv_type_size(spmv_type type);      /* bytes of one value: 0, 4, 8, 8, 16 */
const char *spmv_type_name(spmv_type type); /* "pattern", "f32", "f64", "c64", "c128" */

/* Is there an imaginary part?  In the library, too, for callers who do not compile C. */
inline bool spmv_type_is_complex(spmv_type type)
{
    return type == SPMV_C64 || type == SPMV_C128;
}

/* Do matrices of a type multiply vectors of another?  Patterns multiply all, real types the complex
 * one of their precision too, and f32 also f64. */
bool spmv_type_multiplies(spmv_type type, spmv_type vector_type);

/* One number of any type; im is 0 where the type is not complex. */
typedef struct spmv_scalar {
    double re, im;
} spmv_scalar;

/* The matrix that the stored entries stand for.  Anything but GENERAL holds one triangle and is
 * refused by multiplication: see spmv_expand. */
typedef enum spmv_symmetry {
    SPMV_GENERAL = 0,
    SPMV_SYMMETRIC = 1, /* A^T = A: lower triangle with diagonal */
    SPMV_SKEW = 2,      /* A^T = -A: strictly lower triangle; not for a pattern */
    SPMV_HERMITIAN = 3, /* A^H = A: lower triangle with diagonal, which is real; complex only */
    SPMV_SYMMETRIES     /* how many there are */
} spmv_symmetry;

#ifdef __cplusplus
}
#endif
#endif
