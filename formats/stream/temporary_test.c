/* temporary_test.c -- giving an output its name where the file system cannot rename without
 * replacing. */
#define _GNU_SOURCE /* renameat2 */
#include "formats/stream/sink_folder_test.h"
#include "formats/stream/temporary.h"

#include <fcntl.h>

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags);

static int refusal;

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags)
{
    (void)from_folder, (void)from, (void)to_folder, (void)to, (void)flags;
    errno = refusal;
    return -1;
}

TestSuite(temporary, .init = make_folder, .fini = remove_folder);

static int publish(bool overwrite)
{
    spmv__temporary *temp;
    spmv_error err;
    int fd;
    const int in = open(folder, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(spmv__temporary_create(&temp, &fd, in, 0666, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_eq(write(fd, "new", 3), 3);
    close(fd);
    const int why = spmv__temporary_publish(temp, "file", overwrite);
    if (why != 0) spmv__temporary_discard(temp);
    close(in);
    cr_assert_eq(files_in_folder(), 1, "the temporary file is still there");
    return why;
}

Test(temporary, what_has_appeared_is_not_replaced)
{
    const int codes[] = {EINVAL, ENOSYS};
    for (int i = 0; i < 2; i++) {
        refusal = codes[i];
        write_file(path, "old");
        cr_assert_eq(publish(false), EEXIST);
        assert_file(path, "old");
        cr_assert_eq(publish(true), 0);
        assert_file(path, "new");
        unlink(path);
        cr_assert_eq(publish(false), 0);
        assert_file(path, "new");
    }
}

Test(temporary, other_failures_are_told)
{
    refusal = EACCES;
    cr_assert_eq(publish(true), 0);
    cr_assert_eq(publish(false), EACCES);
    assert_file(path, "new");
}
