/* ranks.h -- the processes that mpirun has started, of which this is one.
 *
 * What is wrong before they join, every rank sees by itself, such as a wrong option; rank 0 tells,
 * and its exit status is that of the run.  See tool_rank_exit for what it does not see. */
#pragma once

#include <stdbool.h>

/* Both as the environment says; where it says nothing this is rank 0 of 1. */
int tool_rank(void);
int tool_rank_count(void);

/* Returns whether whoever has started the ranks ends all of them as soon as one has failed. */
bool tool_ranks_end_together(void);

/* Returns how many processors this rank may take, of those that OpenMP would take: its share, where
 * several ranks of a machine share them. */
int tool_rank_threads(int all);

/* Returns whether a descriptor is a terminal.  What mpirun gives to a process looks like one, but
 * only passes on what is written. */
bool tool_is_terminal(int descriptor);
