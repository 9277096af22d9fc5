/* key_values.cu -- see key_values.cuh.  CUB is compiled here once for all who sort numbers. */
#include "cuda/device/key_values.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace spmv
{

spmv_status key_values_take(key_values *out, int64_t n, arena *s, const char *what, spmv_error *err)
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

spmv_status key_values_sort(key_values *p, int bits, spmv__gpu *gpu, arena *s, const char *what,
                            spmv_error *err)
{
    cub::DoubleBuffer<unsigned> key(p->key, p->spare_key);
    cub::DoubleBuffer<int32_t> value(p->value, p->spare_value);
    const spmv_status st = with_scratch(s, what, err, [&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, key, value, (int)p->n, 0, bits,
                                               spmv__gpu_stream(gpu));
    });
    p->key = key.Current();
    p->spare_key = key.Alternate();
    p->value = value.Current();
    p->spare_value = value.Alternate();
    return st;
}

} // namespace spmv
