/* cuda_pipeline.h -- copies that wait for nobody. */
#pragma once

#include <cstring>

inline void __pipeline_memcpy_async(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
