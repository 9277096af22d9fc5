/* npy_values.c -- elements of every type that NumPy and SciPy store numbers in, as ours. */
#include "formats/text/number.h"
#include "formats/numpy/npy.h"

/* X(kind, C type) -- the types of whole numbers; a bool is one of 0 and 1. */
#define INTEGER_TABLE(X) \
    X(b, uint8_t)        \
    X(i, int8_t)         \
    X(i, int16_t)        \
    X(i, int32_t)        \
    X(i, int64_t)        \
    X(u, uint8_t)        \
    X(u, uint16_t)       \
    X(u, uint32_t)       \
    X(u, uint64_t)

#define REAL_TABLE(X) \
    X(f, float)       \
    X(f, double)

/* The magnitude of a whole number v, of a type that may have no sign. */
#define MAGNITUDE(v) ((v) > 0 ? (uint64_t)(v) : -(uint64_t)(v))

#define X(kind, type)                                                                     \
    static int64_t kind##_##type##_to_i64(const void *from, int64_t n, int64_t *out)      \
    {                                                                                     \
        for (int64_t k = 0; k < n; k++) {                                                 \
            out[k] = (int64_t)((const type *)from)[k];                                    \
            if (#kind[0] == 'u' && out[k] < 0) return k;                                  \
        }                                                                                 \
        return n;                                                                         \
    }                                                                                     \
    static int64_t kind##_##type##_to_f64(const void *from, int64_t n, double *out)       \
    {                                                                                     \
        for (int64_t k = 0; k < n; k++) {                                                 \
            const type v = ((const type *)from)[k];                                       \
            if (sizeof v == 8 ? !spmv__is_exact(MAGNITUDE(v)) : #kind[0] == 'b' && v > 1) \
                return k;                                                                 \
            out[k] = (double)v;                                                           \
        }                                                                                 \
        return n;                                                                         \
    }
INTEGER_TABLE(X)
#undef X

#define X(kind, type)                                                               \
    static int64_t kind##_##type##_to_f64(const void *from, int64_t n, double *out) \
    {                                                                               \
        for (int64_t k = 0; k < n; k++) out[k] = (double)((const type *)from)[k];   \
        return n;                                                                   \
    }
REAL_TABLE(X)
#undef X

spmv__npy_to_i64 *spmv__npy_integers(const spmv__npy *head)
{
#define X(kind_, type) \
    if (head->kind == #kind_[0] && head->size == sizeof(type)) return kind_##_##type##_to_i64;
    INTEGER_TABLE(X)
#undef X
    return NULL;
}

spmv__npy_to_f64 *spmv__npy_reals(const spmv__npy *head)
{
#define X(kind_, type) \
    if (head->kind == #kind_[0] && head->size == sizeof(type)) return kind_##_##type##_to_f64;
    INTEGER_TABLE(X)
    REAL_TABLE(X)
#undef X
    return NULL;
}

void spmv__npy_to_native(const spmv__npy *head, void *elements, int64_t n)
{
    const int unit = head->kind == 'c' ? head->size / 2 : head->kind == 'U' ? 4 : head->size;
    unsigned char *p = elements;
    if (!head->big_endian || head->kind == 'S') return;
    for (n *= head->size / unit; n > 0; n--, p += unit)
        for (int k = 0; k < unit / 2; k++) {
            const unsigned char byte = p[k];
            p[k] = p[unit - 1 - k];
            p[unit - 1 - k] = byte;
        }
}
