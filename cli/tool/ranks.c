/* ranks.c -- see ranks.h. */
#include "cli/tool/ranks.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* What the ways to start processes call their number, this one's, and the number on its machine,
 * and whether they end all as soon as one fails.  Open MPI comes first: it sets others, too. */
static const struct {
    const char *count, *rank, *local_count;
    bool end_together;
} starters[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", true},
    {"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS", true},
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK", "SLURM_NTASKS_PER_NODE", false},
};

/* The number in a variable of the environment, or `otherwise`. */
static int number_in(const char *name, int otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (text == NULL || *text == '\0') return otherwise;
    const long n = strtol(text, &end, 10);
    return *end == '\0' && n >= 0 && n <= INT32_MAX ? (int)n : otherwise;
}

/* The way that has started this process, or -1. */
static int find_starter(void)
{
    for (int i = 0; i < (int)(sizeof starters / sizeof starters[0]); i++) {
        const int count = number_in(starters[i].count, 0), rank = number_in(starters[i].rank, -1);
        if (rank >= 0 && rank < count) return i;
    }
    return -1;
}

int tool_rank(void)
{
    const int i = find_starter();
    return i >= 0 ? number_in(starters[i].rank, 0) : 0;
}

int tool_rank_count(void)
{
    const int i = find_starter();
    return i >= 0 ? number_in(starters[i].count, 1) : 1;
}

bool tool_ranks_end_together(void)
{
    const int i = find_starter();
    return i >= 0 && starters[i].end_together;
}

int tool_rank_threads(int all)
{
    const int i = find_starter();
    const int local = i >= 0 ? number_in(starters[i].local_count, 1) : 1;
    /* Where mpirun has bound a rank to processors, or OMP_NUM_THREADS is set, they are its own. */
    if (local <= 1 || all < sysconf(_SC_NPROCESSORS_ONLN) || getenv("OMP_NUM_THREADS") != NULL)
        return all;
    return all > local ? all / local : 1;
}

bool tool_is_terminal(int descriptor)
{
    return find_starter() < 0 && isatty(descriptor);
}
