/* sink_test.c -- output appears whole or not at all, and every failure is told. */
#include "formats/stream/sink_folder_test.h"

#include <fcntl.h>

TestSuite(sink, .init = make_folder, .fini = remove_folder);

Test(sink, a_file_appears_when_it_is_complete)
{
    umask(027);
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, "one ", 4);
    spmv__sink_printf(sink, "%s %d\n", "two", 3);
    cr_assert_neq(access(path, F_OK), 0);
    commit(sink);
    assert_file(path, "one two 3\n");
    cr_assert_eq(files_in_folder(), 1);

    struct stat info;
    cr_assert_eq(stat(path, &info), 0);
    cr_assert_eq(info.st_mode & 07777, 0640);
}

Test(sink, more_than_the_buffer_holds)
{
    enum { LINES = 200000 };
    spmv__sink *sink = opened(false);
    char *block = malloc(3 << 20);
    for (int i = 0; i < LINES; i++) spmv__sink_printf(sink, "%09d\n", i);
    memset(block, 'x', 3 << 20);
    spmv__sink_write(sink, block, 3 << 20);
    spmv__sink_write(sink, "end", 3);
    commit(sink);

    FILE *f = fopen(path, "r");
    for (int i = 0; i < LINES; i++) {
        int n;
        cr_assert_eq(fscanf(f, "%d\n", &n), 1);
        cr_assert_eq(n, i);
    }
    char *back = malloc(3 << 20), tail[8] = "";
    cr_assert_eq(fread(back, 1, 3 << 20, f), 3 << 20);
    cr_assert_eq(memcmp(back, block, 3 << 20), 0);
    cr_assert_eq(fread(tail, 1, sizeof tail, f), 3);
    cr_assert_str_eq(tail, "end");
    fclose(f);
    free(block);
    free(back);
}

Test(sink, what_is_discarded_leaves_nothing)
{
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, "half", 4);
    cr_assert_eq(files_in_folder(), 1);
    spmv__sink_discard(sink);
    cr_assert_eq(files_in_folder(), 0);
    spmv__sink_discard(NULL);
}

Test(sink, an_existing_file_is_replaced_only_when_asked)
{
    write_file(path, "old");
    assert_refused(path, false, "exists");
    spmv__sink *sink = opened(true);
    spmv__sink_write(sink, "new", 3);
    assert_file(path, "old");
    commit(sink);
    assert_file(path, "new");

    sink = opened(true);
    spmv__sink_discard(sink);
    assert_file(path, "new");
    cr_assert_eq(files_in_folder(), 1);
}

Test(sink, a_file_that_appears_meanwhile_is_not_replaced)
{
    spmv_error err;
    spmv__sink *sink = opened(false);
    write_file(path, "someone else's");
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(EEXIST)), "%s", err.message);
    assert_file(path, "someone else's");
    cr_assert_eq(files_in_folder(), 1);
}

Test(sink, places_that_cannot_be_written)
{
    char name[128];
    snprintf(name, sizeof name, "%s/none/file", folder);
    assert_refused(name, false, strerror(ENOENT));
    assert_refused(folder, true, strerror(EISDIR));
    chmod(folder, 0555);
    if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0); /* root may write anywhere */
    assert_refused(path, false, strerror(EACCES));
    if (getuid() == 0) cr_assert_eq(seteuid(0), 0);
    chmod(folder, 0777);
}

Test(sink, a_symbolic_link_stays_one)
{
    char target[128];
    struct stat info;
    snprintf(target, sizeof target, "%s/target", folder);
    write_file(target, "old");
    cr_assert_eq(symlink("target", path), 0);
    spmv__sink *sink = opened(true);
    spmv__sink_write(sink, "new", 3);
    commit(sink);
    assert_file(target, "new");
    cr_assert_eq(lstat(path, &info), 0);
    cr_assert(S_ISLNK(info.st_mode));
}

Test(sink, a_symbolic_link_to_nothing_is_refused)
{
    cr_assert_eq(symlink("nowhere", path), 0);
    assert_refused(path, false, "symbolic link");
    assert_refused(path, true, "symbolic link");
    unlink(path);
}

Test(sink, what_is_replaced_keeps_its_mode)
{
    struct stat info;
    write_file(path, "old");
    cr_assert_eq(chmod(path, 0600), 0);
    spmv__sink *sink = opened(true);
    spmv__sink_write(sink, "new", 3);
    commit(sink);
    cr_assert_eq(stat(path, &info), 0);
    cr_assert_eq(info.st_mode & 07777, 0600);
}

Test(sink, devices_and_fifos_are_written_to_and_stay)
{
    struct stat info;
    spmv__sink *sink;
    cr_assert_eq(spmv__sink_open(&sink, "/dev/null", NULL, NULL), SPMV_SUCCESS);
    spmv__sink_write(sink, "gone", 4);
    commit(sink);
    cr_assert_eq(stat("/dev/null", &info), 0);
    cr_assert(S_ISCHR(info.st_mode));

    char bytes[8] = "";
    cr_assert_eq(mkfifo(path, 0666), 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    sink = opened(false);
    spmv__sink_write(sink, "through", 7);
    commit(sink);
    cr_assert_eq(read(fd, bytes, sizeof bytes), 7);
    cr_assert_str_eq(bytes, "through");
    close(fd);
}

Test(sink, the_first_failure_is_kept)
{
    spmv__sink *sink;
    spmv_error err;
    char block[4096] = "";
    cr_assert_eq(spmv__sink_open(&sink, "/dev/full", NULL, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 1000; i++) spmv__sink_write(sink, block, sizeof block);
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(ENOSPC)), "%s", err.message);
    cr_assert_str_eq(err.file, "/dev/full");

    cr_assert_eq(spmv__sink_open(&sink, "/dev/full", NULL, NULL), SPMV_SUCCESS);
    spmv__sink_write(sink, "little", 6);
    cr_assert_eq(spmv__sink_commit(&sink, NULL), SPMV_ERROR_FILE_IO);

    sink = opened(false);
    spmv__sink_printf(sink, "%5000d", 1);
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, "4095 bytes"));
    cr_assert_eq(files_in_folder(), 0);
}

/* Another process writes its bytes to the same file; only who has opened it gives it its name. */
Test(sink, an_output_that_is_shared)
{
    char shared[128];
    spmv_error err;
    spmv__sink *sink = opened(false), *other;
    cr_assert_eq(spmv__sink_share(sink, shared, sizeof shared, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv__sink_join(&other, shared, path, NULL, &err), SPMV_SUCCESS);
    spmv__sink_write_at(other, "cd", 2, 2);
    cr_assert_eq(spmv__sink_commit(&other, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv__sink_join(&other, shared, path, NULL, &err), SPMV_SUCCESS);
    spmv__sink_discard(other);
    cr_assert_neq(access(path, F_OK), 0);
    spmv__sink_write_at(sink, "ab", 2, 0);
    commit(sink);
    assert_file(path, "abcd");
    cr_assert_eq(files_in_folder(), 1);

    cr_assert_eq(spmv__sink_join(&other, shared, path, NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_null(other);
    cr_assert_str_eq(err.file, path);
}

/* A path of which the other process would see only the beginning. */
Test(sink, a_path_that_is_too_long_to_be_shared)
{
    char shared[16];
    spmv_error err;
    spmv__sink *sink = opened(false);
    cr_assert_eq(spmv__sink_share(sink, shared, sizeof shared, &err), SPMV_ERROR_FILE_IO);
    spmv__sink_discard(sink);
}

Test(sink, standard_output)
{
    spmv__sink *sink;
    spmv_error err;
    int fd = open(path, O_RDWR | O_CREAT, 0666), saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    cr_assert_eq(spmv__sink_open(&sink, "-", NULL, NULL), SPMV_SUCCESS);
    spmv__sink_write(sink, "out", 3);
    spmv_status st = spmv__sink_commit(&sink, NULL);
    bool open_still = fcntl(STDOUT_FILENO, F_GETFD) != -1;

    close(STDOUT_FILENO);
    cr_assert_eq(spmv__sink_open(&sink, "-", NULL, NULL), SPMV_SUCCESS);
    spmv__sink_write(sink, "out", 3);
    spmv_status closed = spmv__sink_commit(&sink, &err);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);

    cr_assert_eq(st, SPMV_SUCCESS);
    cr_assert(open_still);
    assert_file(path, "out");
    cr_assert_eq(closed, SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(EBADF)), "%s", err.message);
    cr_assert_str_eq(err.file, "<stdout>");
}
