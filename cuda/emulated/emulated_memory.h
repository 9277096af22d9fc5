/* emulated_memory.h -- what tests may ask and tell of the memory and streams of the emulated GPU.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

extern long emulated_live;          /* allocations that are not yet released */
extern long emulated_until_failure; /* so many more succeed, then one fails; negative: all do */

extern long emulated_misplaced; /* releases while another GPU than the owner was current */

extern void *emulated_only_stream; /* where a test wants all work; NULL: anywhere */
extern long emulated_strays;       /* works and allocations elsewhere meanwhile */
extern long emulated_waits;        /* times that the host waited */

#ifdef __cplusplus
}
#endif
