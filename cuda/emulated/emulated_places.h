/* emulated_places.h -- what tests may tell of where memory is. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

extern const void *emulated_of_host; /* an address that no GPU reaches; all others are of GPUs */

#ifdef __cplusplus
}
#endif
