/* device_radix_sort.cuh -- the sort of CUB that the files of cuda/ use. */
#pragma once

#include <cuda_runtime.h>
#include <numeric>

namespace cub
{

template <class T>
struct DoubleBuffer {
    T *now, *other;
    DoubleBuffer(T *current, T *alternate) : now(current), other(alternate) {}
    T *Current() const { return now; }
    T *Alternate() const { return other; }
};

struct DeviceRadixSort {
    /* With scratch NULL it only asks how much of it there must be. */
    template <class K, class V>
    static cudaError_t SortPairs(void *scratch, size_t &bytes, DoubleBuffer<K> &key,
                                 DoubleBuffer<V> &value, int n, int first_bit, int last_bit,
                                 cudaStream_t)
    {
        bytes = 1;
        if (scratch == nullptr) return cudaSuccess;
        const std::vector<int> from = order(key.now, n, first_bit, last_bit);
        gather(key, from);
        gather(value, from);
        return cudaSuccess;
    }

    template <class K>
    static cudaError_t SortKeys(void *scratch, size_t &bytes, DoubleBuffer<K> &key, int n,
                                int first_bit, int last_bit, cudaStream_t)
    {
        bytes = 1;
        if (scratch == nullptr) return cudaSuccess;
        gather(key, order(key.now, n, first_bit, last_bit));
        return cudaSuccess;
    }

  private:
    template <class K>
    static std::vector<int> order(const K *key, int n, int first_bit, int last_bit)
    {
        const auto digits = [&](int i) {
            return (uint64_t)key[i] >> first_bit & (((uint64_t)1 << (last_bit - first_bit)) - 1);
        };
        std::vector<int> from((size_t)n);
        std::iota(from.begin(), from.end(), 0);
        std::stable_sort(from.begin(), from.end(),
                         [&](int a, int b) { return digits(a) < digits(b); });
        return from;
    }

    template <class T>
    static void gather(DoubleBuffer<T> &of, const std::vector<int> &from)
    {
        for (size_t i = 0; i < from.size(); i++) of.other[i] = of.now[from[i]];
        std::swap(of.now, of.other);
    }
};

} // namespace cub
