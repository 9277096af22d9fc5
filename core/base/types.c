/* types.c -- the types of values: names, sizes, and which of them multiply vectors of which. */
#include "core/base/types.h"

static const struct {
    const char *name;
    size_t size;
} types[SPMV_TYPES] = {[SPMV_PATTERN] = {"pattern", 0},
                       [SPMV_F32] = {"f32", 4},
                       [SPMV_F64] = {"f64", 8},
                       [SPMV_C64] = {"c64", 8},
                       [SPMV_C128] = {"c128", 16}};

extern inline bool spmv_type_is_complex(spmv_type type);

size_t spmv_type_size(spmv_type type)
{
    return (unsigned)type < SPMV_TYPES ? types[type].size : 0;
}

const char *spmv_type_name(spmv_type type)
{
    return (unsigned)type < SPMV_TYPES ? types[type].name : "unknown type";
}

bool spmv_type_multiplies(spmv_type type, spmv_type x_type)
{
#define X(name, t, xt) \
    if (type == t && x_type == xt) return true;
    SPMV__TYPES_TABLE(X)
#undef X
    return false;
}
