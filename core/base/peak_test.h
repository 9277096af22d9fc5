/* peak_test.h -- for tests: how much memory this process took at most. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* A figure of /proc/self/status in bytes; 0: it is not there. */
static inline long test_own_memory(const char *name)
{
    char line[128], wanted[32];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    snprintf(wanted, sizeof wanted, "%s: %%ld", name);
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, wanted, &kilobytes) == 1) break;
    if (f != NULL) fclose(f);
    return kilobytes * 1024;
}

/* Forget how much it once was; false: this system does not. */
static inline bool test_forget_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (f == NULL) return false;
    const bool written = fputs("5", f) >= 0;
    return (fclose(f) == 0) && written;
}
