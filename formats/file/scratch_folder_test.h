/* scratch_folder_test.h -- tests that write files have a folder of their own, and leave none. */
#pragma once

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[] = "/tmp/spmv-files-XXXXXX";

static void open_folder(void)
{
    cr_assert_not_null(mkdtemp(scratch_folder));
    cr_assert_eq(chdir(scratch_folder), 0);
}

/* Nothing is left in it: a temporary file would keep it.  Criterion passes over an assertion that
 * fails behind the test. */
static void remove_folder(void)
{
    if (chdir("/") == 0 && rmdir(scratch_folder) == 0) return;
    fprintf(stderr, "files are left in %s\n", scratch_folder);
    abort();
}
