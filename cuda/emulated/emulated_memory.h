/* emulated_memory.h -- what tests may ask and tell of the memory of the emulated GPU. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

extern long emulated_live;          /* allocations that are not yet released */
extern long emulated_until_failure; /* so many more succeed, then one fails; negative: all do */

#ifdef __cplusplus
}
#endif
