/* keep_memory.h -- memory that a repetition frees, for the next one to find. */
#pragma once

/* Keep memory with the process that is freed, but for blocks of more than 32 MB, as far as the C
 * library can be told.  The one of GNU gives back to the system what is free at the end of its
 * memory, unless it has seen larger blocks freed before; a short repetition would then spend most
 * of its time on getting the same pages again, which it does not in a program that runs for long.
 */
void keep_memory(void);
