/* device_radix_sort.cuh -- the sorts of CUB that the files of cuda/ use. */
#ifndef SPMV_EMULATED_CUB_SORT
#define SPMV_EMULATED_CUB_SORT

#include <cuda_runtime.h>
#include <numeric>

namespace cub
{

struct DeviceRadixSort {
    /* With scratch NULL they only ask how much of it there must be. */
    template <class K>
    static cudaError_t SortKeys(void *scratch, size_t &bytes, const K *key, K *sorted, int n,
                                int first_bit, int last_bit, cudaStream_t stream)
    {
        std::vector<char> none((size_t)n), order((size_t)n);
        return SortPairs(scratch, bytes, key, sorted, none.data(), order.data(), n, first_bit,
                         last_bit, stream);
    }
    template <class K, class V>
    static cudaError_t SortPairs(void *scratch, size_t &bytes, const K *key, K *sorted,
                                 const V *value, V *order, int n, int first_bit, int last_bit,
                                 cudaStream_t)
    {
        const auto digits = [=](int i) {
            return key[i] >> first_bit & (((K)1 << (last_bit - first_bit)) - 1);
        };
        bytes = 1;
        if (scratch == nullptr) return cudaSuccess;
        std::vector<int> from((size_t)n);
        std::iota(from.begin(), from.end(), 0);
        std::stable_sort(from.begin(), from.end(),
                         [&](int a, int b) { return digits(a) < digits(b); });
        for (int i = 0; i < n; i++) {
            sorted[i] = key[from[(size_t)i]];
            order[i] = value[from[(size_t)i]];
        }
        return cudaSuccess;
    }
};

} // namespace cub

#endif
