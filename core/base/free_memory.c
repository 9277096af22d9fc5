/* free_memory.c -- how much memory may still be had, as the system tells.
 *
 * Linux tells in four places: what is free in the machine (MemAvailable of /proc/meminfo), what the
 * limits of the control groups of either version leave, from ours up to the root, and what a limit
 * of address space leaves (ulimit -v).
 *
 * Virtual machines exist that begin with little memory and are given more as it is used.  Their
 * MemTotal is less than the limit of their group, which no administrator does by intent elsewhere;
 * there the limit is believed, and not what is free now. */
#include "core/base/free_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 1024, LINE_SIZE = 512 };

/* The number after `key` in a file, or the first of the file where key is ""; -1: none.  The word
 * for no limit is no number. */
static int64_t number_in(const char *path, const char *key)
{
    char line[LINE_SIZE];
    int64_t value = -1;
    FILE *f = fopen(path, "re");
    if (f == NULL) return -1;
    while (value < 0 && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, key, strlen(key)) != 0 ||
            sscanf(line + strlen(key), "%" SCNd64, &value) != 1)
            value = -1;
    fclose(f);
    return value;
}

/* A version of control groups: where it is mounted, and what its files are called. */
typedef struct version {
    const char *mount, *limit, *used, *cache;
} version;

static const version versions[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "},
};

static int64_t read_group(const char *root, const version *v, const char *group, const char *file,
                          const char *key)
{
    char path[PATH_SIZE];
    const int n = snprintf(path, sizeof path, "%s%s%s/%s", root, v->mount, group, file);
    return n < (int)sizeof path ? number_in(path, key) : -1;
}

/* The least that the groups from `group` up to the root leave, and the least of their limits.
 * Cached pages of files count as used, and are given back at need. */
static void ask_groups(const char *root, const version *v, char *group, int64_t *left,
                       int64_t *least)
{
    for (;;) {
        const int64_t limit = read_group(root, v, group, v->limit, "");
        const int64_t used = read_group(root, v, group, v->used, "");
        const int64_t cache = read_group(root, v, group, "memory.stat", v->cache);
        if (limit >= 0 && used >= 0) {
            const int64_t held = used - (cache > 0 && cache < used ? cache : 0);
            const int64_t rest = limit > held ? limit - held : 0;
            if (rest < *left) *left = rest;
            if (limit < *least) *least = limit;
        }
        char *slash = strrchr(group, '/');
        if (slash == NULL) return;
        *slash = '\0';
    }
}

/* Whether a word is in a list with commas; "": whether the list is empty. */
static bool is_listed(const char *list, size_t length, const char *word)
{
    for (const char *end = list + length; list < end;) {
        const size_t n = strcspn(list, ",:");
        if (n == strlen(word) && strncmp(list, word, n) == 0) return true;
        list += n + 1;
    }
    return length == 0 && *word == '\0';
}

/* The group of the process: "0::GROUP" in version 2, "N:CONTROLLERS:GROUP" with `memory` among them
 * in version 1; else "". */
static void find_group(const char *root, int which, char group[LINE_SIZE])
{
    static const char *const controllers[] = {"", "memory"};
    char path[PATH_SIZE], line[LINE_SIZE];
    group[0] = '\0';
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "re");
    if (f == NULL) return;
    while (fgets(line, sizeof line, f) != NULL) {
        const char *list = line + strcspn(line, ":");
        if (*list == '\0') continue;
        const size_t named = strcspn(++list, ":");
        if (list[named] == '\0' || !is_listed(list, named, controllers[which])) continue;
        const char *at = list + named + 1;
        const size_t length = strcspn(at, "\n");
        memcpy(group, at, length);
        group[length] = '\0';
    }
    fclose(f);
}

/* What the limit of address space leaves; INT64_MAX: there is none. */
static int64_t ask_address_space(const char *root)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/proc/self/limits", root);
    const int64_t limit = number_in(path, "Max address space");
    snprintf(path, sizeof path, "%s/proc/self/status", root);
    const int64_t used = number_in(path, "VmSize:");
    if (limit < 0 || used < 0 || used > INT64_MAX / 1024) return INT64_MAX;
    return limit > used * 1024 ? limit - used * 1024 : 0;
}

int64_t spmv__free_memory(const char *root)
{
    char path[PATH_SIZE], group[LINE_SIZE];
    const int64_t space = ask_address_space(root);
    int64_t left = INT64_MAX, least = INT64_MAX;

    for (int i = 0; i < (int)(sizeof versions / sizeof versions[0]); i++) {
        find_group(root, i, group);
        ask_groups(root, &versions[i], group, &left, &least);
    }
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    const int64_t total = number_in(path, "MemTotal:"), free = number_in(path, "MemAvailable:");
    const bool grows = total >= 0 && least / 1024 > total && least < INT64_C(1) << 60;
    if (space < left) left = space;
    if (free < 0 || free > INT64_MAX / 1024 || grows) return left;
    return free * 1024 < left ? free * 1024 : left;
}
