/* key_values.cuh -- numbers on the device, each with a key, and sorting them by their keys. */
#pragma once

#include "cuda/device/plan.cuh"

namespace spmv
{

/* Holds n keys and numbers, with room for one number more; what is spare holds nothing between
 * sorts. */
struct key_values {
    int64_t n;
    unsigned *key, *spare_key;
    int32_t *value, *spare_value;
};

spmv_status key_values_take(key_values *out, int64_t n, arena *s, const char *what,
                            spmv_error *err);

/* Sorts by the lowest bits of the keys; those that are equal there stay in order. */
spmv_status key_values_sort(key_values *p, int bits, spmv__gpu *gpu, arena *s, const char *what,
                            spmv_error *err);

} // namespace spmv
