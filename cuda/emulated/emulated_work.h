/* emulated_work.h -- what other libraries may have the emulated GPU do. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Work in the order of the stream: with each replay of a graph that is being captured, or now. */
__attribute__((visibility("default"))) void emulated_enqueue(void (*work)(void *user), void *user);

#ifdef __cplusplus
}
#endif
