/* lender.h -- memory of a GPU that comes from somebody else, in the order of a stream of theirs. */
#pragma once

#include "spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who gives memory, and for which stream. */
typedef struct spmv__lender {
    spmv_gpu_allocator allocator;
    void *stream;
} spmv__lender;

/* From now on the calling thread allocates there; NULL: nowhere. */
void spmv__lender_select(const spmv__lender *lender);
bool spmv__lender_is_selected(void);

/* Memory of the selected lender; *out is NULL where it has none left, or the host has none. */
void spmv__lender_allocate(void **out, int64_t bytes);

/* Give memory back to whoever lent it; false where nobody did. */
bool spmv__lender_release(void *data);

#ifdef __cplusplus
}
#endif
