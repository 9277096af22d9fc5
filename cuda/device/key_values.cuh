/* key_values.cuh -- values on the device, each with a key, and sorting them by their keys. */
#pragma once

#include "cuda/device/plan.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace spmv
{

/* Holds n keys and values, with room for one value more; what is spare holds nothing between sorts.
 */
template <class K, class V>
struct key_values {
    int64_t n;
    K *key, *spare_key;
    V *value, *spare_value;
};

template <class K, class V>
spmv_status key_values_take(key_values<K, V> *out, int64_t n, arena *s, const char *what,
                            spmv_error *err)
{
    spmv_status st;
    out->n = n;
    SPMV__TRY(arena_take(s, &out->key, n, what, err));
    SPMV__TRY(arena_take(s, &out->spare_key, n, what, err));
    SPMV__TRY(arena_take(s, &out->value, n + 1, what, err));
    SPMV__TRY(arena_take(s, &out->spare_value, n + 1, what, err));
done:
    return st;
}

/* Sorts by the lowest bits of the keys; those that are equal there stay in order. */
template <class K, class V>
spmv_status key_values_sort(key_values<K, V> *p, int bits, spmv__gpu *gpu, arena *s,
                            const char *what, spmv_error *err)
{
    cub::DoubleBuffer<K> key(p->key, p->spare_key);
    cub::DoubleBuffer<V> value(p->value, p->spare_value);
    const spmv_status st = with_scratch(s, what, err, [&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, key, value, (int)p->n, 0, bits,
                                               (cudaStream_t)spmv__gpu_stream(gpu));
    });
    p->key = key.Current();
    p->spare_key = key.Alternate();
    p->value = value.Current();
    p->spare_value = value.Alternate();
    return st;
}

} // namespace spmv
