/* scratch_folder_test.h -- tests that write files have a folder of their own, and leave none. */
#pragma once

#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[] = "/tmp/spmv-files-XXXXXX";

static void open_folder(void)
{
    cr_assert_not_null(mkdtemp(scratch_folder));
    cr_assert_eq(chdir(scratch_folder), 0);
}

static void remove_folder(void)
{
    /* Nothing is left in it: a temporary file would keep it. */
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(rmdir(scratch_folder), 0, "files are left in %s", scratch_folder);
}
