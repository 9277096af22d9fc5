/* arena.cuh -- arrays of a plan, one behind the other in few allocations.
 *
 * To allocate or to give back anything takes CUDA some 40 us.  What is needed only while a plan is
 * made is in one arena, which is given back then; what the plan keeps may be in another one.
 *
 * Where AddressSanitizer watches, or in builds with SPMV_ARRAYS_APART, each array is an allocation
 * of its own, so that reading beyond its end is seen. */
#pragma once

#include "cuda/gpu/cuda_errors.cuh"

#include <cstdint>

namespace spmv
{

#if defined(SPMV_ARRAYS_APART) || defined(__SANITIZE_ADDRESS__)
constexpr bool ARENA_APART = true;
#else
constexpr bool ARENA_APART = false;
#endif
constexpr int ARENA_CHUNKS = 64;
constexpr int64_t ARENA_LEAST = 1 << 21; /* bytes of the first allocation, if nothing is expected */
constexpr int64_t ARENA_ALIGN = 256;

struct arena {
    int64_t next; /* bytes of the next allocation, at least */
    int chunks;
    void *chunk[ARENA_CHUNKS];
    char *at; /* what is left of the last one */
    int64_t left;
};

/* Says that `arrays` arrays of `bytes` bytes in all are taken next, from one allocation. */
inline void arena_expect(arena *a, int arrays, int64_t bytes)
{
    a->next = bytes + arrays * ARENA_ALIGN;
}

/* Takes room for n numbers, not initialised.  Without arena_expect, an allocation is twice as large
 * as the one before.  CUDA_MALLOC. */
template <class T>
spmv_status arena_take(arena *a, T **out, int64_t n, const char *what, spmv_error *err)
{
    const int64_t lines = (n * (int64_t)sizeof(T) + ARENA_ALIGN - 1) / ARENA_ALIGN;
    const int64_t bytes = lines * ARENA_ALIGN;
    spmv_status st = SPMV_SUCCESS;
    *out = NULL;
    if (ARENA_APART || bytes > a->left) {
        const int64_t more =
            ARENA_APART ? n * (int64_t)sizeof(T) : max(bytes, a->next > 0 ? a->next : ARENA_LEAST);
        a->left = 0;
        if (a->chunks == ARENA_CHUNKS)
            return spmv__fail(err, SPMV_ERROR_CUDA_MALLOC, "%s has too many arrays", what);
        SPMV__TRY(spmv__gpu_alloc(&a->chunk[a->chunks], more, what, err));
        a->at = (char *)a->chunk[a->chunks++];
        a->left = more;
        a->next = 2 * more;
    }
    *out = (T *)a->at;
    a->at += bytes;
    a->left -= bytes;
done:
    return st;
}

/* Gives up all that was taken: the last allocation is used again from its beginning. */
inline void arena_reuse(arena *a)
{
    if (a->chunks == 0) return;
    char *begin = (char *)a->chunk[a->chunks - 1];
    a->left += a->at - begin;
    a->at = begin;
}

inline void arena_release(arena *a)
{
    while (a->chunks > 0) spmv__gpu_free(a->chunk[--a->chunks]);
    *a = {};
}

/* Gives up all that was taken, for arrays of so many bytes in all: what is there is used again if
 * they fit into it, and released otherwise. */
inline void arena_restart(arena *a, int arrays, int64_t bytes)
{
    if (!ARENA_APART && a->chunks == 1) arena_reuse(a);
    if (ARENA_APART || a->chunks != 1 || a->left < bytes + arrays * ARENA_ALIGN) arena_release(a);
    arena_expect(a, arrays, bytes);
}

} // namespace spmv
