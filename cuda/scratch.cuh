/* scratch.cuh -- memory that is needed only while a plan is made.
 *
 * To allocate or to give back anything takes CUDA some 40 us, so that arrays are taken one behind
 * the other from few allocations, and given back all at once. */
#ifndef SPMV_SCRATCH_CUH
#define SPMV_SCRATCH_CUH

#include "check.cuh"

#include <cstdint>

namespace spmv
{

constexpr int SCRATCH_CHUNKS = 32; /* each at least twice as large as the one before */
constexpr int64_t SCRATCH_LEAST = 1 << 21;
constexpr int64_t SCRATCH_ALIGN = 256;

struct scratch {
    int64_t next; /* bytes of the next allocation, at least */
    int chunks;
    void *chunk[SCRATCH_CHUNKS];
    char *at; /* what is left of the last one */
    int64_t left;
};

/* Room for n numbers, not initialised.  CUDA_MALLOC. */
template <class T>
spmv_status scratch_take(scratch *s, T **out, int64_t n, const char *what, spmv_error *err)
{
    const int64_t lines = (n * (int64_t)sizeof(T) + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN;
    const int64_t bytes = lines * SCRATCH_ALIGN;
    spmv_status st = SPMV_SUCCESS;
    *out = NULL;
    if (bytes > s->left) {
        const int64_t more = max(bytes, max(s->next, SCRATCH_LEAST));
        s->left = 0;
        SPMV__TRY(spmv__gpu_alloc(&s->chunk[s->chunks], more, what, err));
        s->at = (char *)s->chunk[s->chunks++];
        s->left = more;
        s->next = 2 * more;
    }
    *out = (T *)s->at;
    s->at += bytes;
    s->left -= bytes;
done:
    return st;
}

/* What was taken is not needed any more: the last allocation is used again from its beginning. */
inline void scratch_reuse(scratch *s)
{
    if (s->chunks == 0) return;
    char *begin = (char *)s->chunk[s->chunks - 1];
    s->left += s->at - begin;
    s->at = begin;
}

inline void scratch_give_back(scratch *s)
{
    while (s->chunks > 0) spmv__gpu_free(s->chunk[--s->chunks]);
}

} // namespace spmv

#endif
