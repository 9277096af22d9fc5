/* free_memory_test.c -- what may still be had follows from the files of the system. */
#include "core/base/free_memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char root[64];

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/spmv-free-XXXXXX");
    cr_assert_not_null(mkdtemp(root));
}

static void run(const char *command)
{
    char line[256];
    snprintf(line, sizeof line, command, root);
    cr_assert_eq(system(line), 0);
}

static void remove_root(void)
{
    run("rm -r %s");
}

TestSuite(free_memory, .init = make_root, .fini = remove_root);

static void put(const char *folder, const char *name, const char *text)
{
    char line[256];
    snprintf(line, sizeof line, "mkdir -p %%s%s", folder);
    run(line);
    snprintf(line, sizeof line, "%s%s/%s", root, folder, name);
    FILE *f = fopen(line, "w");
    cr_assert_not_null(f);
    fputs(text, f);
    fclose(f);
}

static void put_machine(void)
{
    put("/proc", "meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 500 kB\n");
}

/* Makes a group of version 2: its limit and what it uses. */
static void put_group(const char *folder, const char *limit, const char *used)
{
    put(folder, "memory.max", limit);
    put(folder, "memory.current", used);
}

Test(free_memory, a_system_that_tells_nothing_limits_nothing)
{
    cr_assert_eq(spmv__free_memory(root), INT64_MAX);
}

Test(free_memory, the_machine_counts_where_no_group_has_a_limit)
{
    put_machine();
    put("/proc/self", "cgroup", "0::/a\n");
    put_group("/sys/fs/cgroup/a", "max\n", "1000\n");
    put("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory", "memory.usage_in_bytes", "4096\n");
    cr_assert_eq(spmv__free_memory(root), 500 * 1024);
}

Test(free_memory, the_tightest_group_on_the_way_to_the_root_counts)
{
    put_machine();
    put("/proc/self", "cgroup", "3:cpu:/z\n0::/a/b\n");
    put_group("/sys/fs/cgroup/a/b", "300000\n", "100\n");
    put_group("/sys/fs/cgroup/a", "200000\n", "150000\n");
    put("/sys/fs/cgroup/a", "memory.stat", "anon 7\ninactive_file 40000\n");
    cr_assert_eq(spmv__free_memory(root), 200000 - 110000);
}

Test(free_memory, groups_of_the_first_version_count)
{
    static const char *const groups[] = {"8:pids:/q\n4:memory:/a\n", "4:cpu,memory:/a\n",
                                         "4:memory,cpu:/a\n9:name=x,memory_of_y:/b\n"};
    put_machine();
    put("/sys/fs/cgroup/memory/a", "memory.limit_in_bytes", "70000\n");
    put("/sys/fs/cgroup/memory/a", "memory.usage_in_bytes", "80000\n");
    for (int i = 0; i < 3; i++) {
        put("/proc/self", "cgroup", groups[i]);
        cr_expect_eq(spmv__free_memory(root), 0, "%s", groups[i]);
    }
    put("/proc/self", "cgroup", "4:cpu,memory_of_y:/a\n");
    cr_expect_neq(spmv__free_memory(root), 0);
}

/* A limit beyond all memory is that of a machine which is given more as it is used. */
Test(free_memory, a_machine_that_grows_has_what_its_group_leaves)
{
    put_machine();
    put_group("/sys/fs/cgroup", "8000000\n", "1000000\n");
    cr_assert_eq(spmv__free_memory(root), 7000000);
}

Test(free_memory, a_limit_of_address_space_counts)
{
    put_machine();
    put("/proc/self", "limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
        "Max cpu time              unlimited            unlimited            seconds\n"
        "Max address space         300000               unlimited            bytes\n");
    put("/proc/self", "status", "Name:\ta\nVmPeak:\t     200 kB\nVmSize:\t     100 kB\n");
    cr_assert_eq(spmv__free_memory(root), 300000 - 100 * 1024);
    put("/proc/self", "limits",
        "Max address space         unlimited            unlimited            bytes\n");
    cr_assert_eq(spmv__free_memory(root), 500 * 1024);
    put("/proc/self", "limits",
        "Max address space         1000                 unlimited            bytes\n");
    cr_assert_eq(spmv__free_memory(root), 0);
}

Test(free_memory, what_is_asked_for_must_be_free)
{
    spmv_error err;
    cr_assert_eq(spmv_check_memory(0, "a thing", &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_check_memory(1 << 28, "a thing", &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_check_memory(1e30, "a thing", &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(strncmp(err.message, "a thing needs 1e+12 EB, this machine has ", 41), 0, "%s",
                 err.message);
}
