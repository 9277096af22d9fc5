/* sink_folder_test.c -- several sinks at once, abandoned ones, and what others do to the folder. */
#include "formats/stream/sink_folder_test.h"

#include <signal.h>
#include <sys/wait.h>

TestSuite(sink_folder, .init = make_folder, .fini = remove_folder);

enum { MANY = 256 };

Test(sink_folder, as_many_at_once_as_there_are_places)
{
    spmv__sink *sinks[MANY];
    char name[128];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "%s/%d", folder, i);
        cr_assert_eq(spmv__sink_open(&sinks[i], name, NULL, NULL), SPMV_SUCCESS);
        spmv__sink_printf(sinks[i], "%d", i);
    }
    assert_refused(path, false, "too many files");
    for (int i = 0; i < MANY; i++) commit(sinks[i]);
    for (int i = 0; i < MANY; i++) {
        char text[16];
        snprintf(name, sizeof name, "%s/%d", folder, i);
        snprintf(text, sizeof text, "%d", i);
        assert_file(name, text);
    }
    cr_assert_eq(files_in_folder(), MANY);
    spmv__sink_discard(opened(false));
}

Test(sink_folder, names_that_are_too_long)
{
    char name[6000];
    memset(name, 'x', sizeof name);
    memcpy(name, folder, strlen(folder));
    name[strlen(folder)] = '/';
    name[sizeof name - 1] = '\0';
    spmv__sink *sink;
    spmv_error err;
    cr_assert_eq(spmv__sink_open(&sink, name, NULL, &err), SPMV_ERROR_FILE_IO);
    for (size_t i = 0; i < 5000; i += 2) memcpy(name + i, "./", 2);
    cr_assert_eq(spmv__sink_open(&sink, name, NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(ENAMETOOLONG)), "%s", err.message);
}

static void on_signal(int signal)
{
    (void)signal;
    spmv_abandon_writes();
}

Test(sink_folder, abandoned_writes_leave_nothing_and_cannot_be_committed)
{
    char other[128];
    spmv__sink *first = opened(false), *second;
    spmv_error err;
    snprintf(other, sizeof other, "%s/other", folder);
    cr_assert_eq(spmv__sink_open(&second, other, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(files_in_folder(), 2);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    cr_assert_eq(files_in_folder(), 0);
    spmv__sink_write(first, "late", 4);
    cr_assert_eq(spmv__sink_commit(&first, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(ENOENT)), "%s", err.message);
    spmv__sink_discard(second);
    cr_assert_eq(files_in_folder(), 0);
    spmv_abandon_writes();
}

Test(sink_folder, a_temporary_file_left_by_a_dead_process_is_no_obstacle)
{
    char left[160];
    for (int i = 0; i < 3; i++) {
        snprintf(left, sizeof left, "%s/.spmv-%ld-%d.tmp", folder, (long)getpid(), i);
        write_file(left, "left");
    }
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, "new", 3);
    commit(sink);
    assert_file(path, "new");
    assert_file(left, "left");
}

Test(sink_folder, a_child_leaves_the_files_of_its_parent_alone)
{
    int status;
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, "parent", 6);
    const pid_t child = fork();
    if (child == 0) {
        spmv_abandon_writes();
        spmv__sink_discard(sink);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    cr_assert_eq(files_in_folder(), 1);
    commit(sink);
    assert_file(path, "parent");
}

Test(sink_folder, the_folder_stays_the_same_wherever_the_process_goes)
{
    spmv__sink *sink;
    char moved[128];
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(spmv__sink_open(&sink, "file", NULL, NULL), SPMV_SUCCESS);
    spmv__sink_write(sink, "here", 4);
    cr_assert_eq(chdir("/"), 0);
    commit(sink);
    assert_file(path, "here");

    snprintf(moved, sizeof moved, "%s.moved", folder);
    sink = opened(true);
    spmv__sink_write(sink, "moved", 5);
    cr_assert_eq(rename(folder, moved), 0);
    cr_assert_eq(mkdir(folder, 0777), 0);
    commit(sink);
    cr_assert_eq(files_in_folder(), 0);
    cr_assert_eq(rmdir(folder), 0);
    cr_assert_eq(rename(moved, folder), 0);
    assert_file(path, "moved");
}

Test(sink_folder, a_folder_that_goes_takes_the_output_with_it)
{
    spmv_error err;
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, "late", 4);
    remove_folder();
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(ENOENT)), "%s", err.message);
    make_folder();
}

Test(sink_folder, a_folder_need_not_be_readable)
{
    cr_assert_eq(chmod(folder, 0333), 0);
    if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0); /* root may read anything */
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, "blind", 5);
    commit(sink);
    if (getuid() == 0) cr_assert_eq(seteuid(0), 0);
    assert_file(path, "blind");
    cr_assert_eq(chmod(folder, 0777), 0);
}

/* A name that does not tell who made it, so that nobody else can hit on it. */
Test(sink_folder, temporary_names_are_random)
{
    char first[256] = "";
    for (int i = 0; i < 2; i++) {
        spmv__sink *sink = opened(false);
        DIR *d = opendir(folder);
        struct dirent *entry;
        do entry = readdir(d);
        while (entry->d_name[0] != '.' || strlen(entry->d_name) < 3);
        cr_assert(strlen(entry->d_name) >= 32, "'%s' holds less than 128 bits", entry->d_name);
        cr_assert_str_neq(entry->d_name, first);
        strcpy(first, entry->d_name);
        closedir(d);
        spmv__sink_discard(sink);
    }
}
