/* memory_file_test.c -- files in memory: the same bytes, whoever brings them, and all failures. */
#include "core/base/omp_test.h"
#include "formats/stream/memory_file.h"
#include "formats/stream/sink_folder_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

enum { SIZE = (9 << 20) + 5, BEFORE = 4099 };

/* A folder in memory, if this machine has any. */
static void make_memory_folder(void)
{
    snprintf(folder, sizeof folder, "/dev/shm/spmv-memory-%ld", (long)getpid());
    snprintf(path, sizeof path, "%s/file", folder);
    if (mkdir(folder, 0777) != 0) folder[0] = '\0';
}

static void remove_memory_folder(void)
{
    if (folder[0] != '\0') remove_folder();
}

TestSuite(memory_file, .init = make_memory_folder, .fini = remove_memory_folder);

static int created(void)
{
    const int fd = folder[0] == '\0' ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL, 0666);
    if (fd < 0 || !spmv__memory_file_is(fd)) cr_skip_test("/dev/shm is no memory here");
    return fd;
}

/* Bytes that differ from page to page. */
static unsigned char *some_bytes(void)
{
    unsigned char *bytes = malloc(SIZE);
    for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(i * 31 + i / 4096);
    return bytes;
}

static void assert_bytes(const unsigned char *bytes, const char *before, const char *behind)
{
    FILE *f = fopen(path, "rb");
    unsigned char *back = malloc(SIZE);
    char text[BEFORE + 1] = "";
    cr_assert_eq(fread(text, 1, strlen(before), f), strlen(before));
    cr_assert_str_eq(text, before);
    cr_assert_eq(fread(back, 1, SIZE, f), SIZE);
    cr_assert_eq(memcmp(back, bytes, SIZE), 0);
    memset(text, 0, sizeof text);
    cr_assert_eq(fread(text, 1, BEFORE, f), strlen(behind));
    cr_assert_str_eq(text, behind);
    free(back);
    fclose(f);
}

Test(memory_file, what_it_is)
{
    const int fd = created(), reader = open("/proc/self/status", O_RDONLY);
    const int writer = open(path, O_WRONLY);
    cr_assert_not(spmv__memory_file_is(reader));
    cr_assert_not(spmv__memory_file_is(writer), "it cannot be mapped");
    cr_assert_not(spmv__memory_file_is(-1));
    close(fd);
    close(reader);
    close(writer);
}

Test(memory_file, bytes_at_any_place)
{
    const int fd = created();
    char before[BEFORE + 1] = "";
    unsigned char *bytes = some_bytes();
    omp_set_num_threads(8);
    memset(before, '.', BEFORE);
    cr_assert_eq(spmv__memory_file_put(fd, bytes, SIZE, BEFORE), 0);
    cr_assert_eq(spmv__memory_file_fill(fd, before, BEFORE, 0), 0);
    cr_assert_eq(spmv__memory_file_extend(fd, 0, 7), 0);
    cr_assert_eq(spmv__memory_file_put(fd, "", 0, 7), 0);
    cr_assert_eq(spmv__memory_file_extend(fd, 3, SIZE + BEFORE), 0);
    cr_assert_eq(spmv__memory_file_fill(fd, "end", 3, SIZE + BEFORE), 0);
    close(fd);
    assert_bytes(bytes, before, "end");
    free(bytes);
}

Test(memory_file, an_output_takes_bytes_of_any_number)
{
    unsigned char *bytes = some_bytes();
    close(created());
    for (int threads = 1; threads <= 9; threads++) {
        omp_set_num_threads(threads);
        spmv__sink *sink = opened(true);
        spmv__sink_write(sink, "front", 5);
        spmv__sink_write(sink, bytes, SIZE);
        spmv__sink_write(sink, "behind", 6);
        commit(sink);
        assert_bytes(bytes, "front", "behind");
    }
    free(bytes);
}

/* Lines of different lengths. */
static char *number_lines(const void *user, int64_t begin, int64_t end, char *out)
{
    (void)user;
    for (int64_t i = begin; i < end; i++) out += sprintf(out, "%lld\n", (long long)(i * i));
    return out;
}

Test(memory_file, lines_of_all_threads)
{
    enum { LINES = 60000 };
    close(created());
    omp_set_num_threads(9);
    spmv__sink *sink = opened(true);
    spmv__sink_printf(sink, "squares\n");
    cr_assert_eq(spmv__write_lines(sink, LINES, 24, number_lines, NULL, NULL), SPMV_SUCCESS);
    spmv__sink_printf(sink, "over\n");
    commit(sink);

    FILE *f = fopen(path, "r");
    char line[64];
    cr_assert_str_eq(fgets(line, sizeof line, f), "squares\n");
    for (long long i = 0; i < LINES; i++)
        cr_assert_eq(strtoll(fgets(line, sizeof line, f), NULL, 10), i * i);
    cr_assert_str_eq(fgets(line, sizeof line, f), "over\n");
    cr_assert_null(fgets(line, sizeof line, f));
    fclose(f);
}

static void limit_files(rlim_t bytes)
{
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes}), 0);
}

Test(memory_file, a_file_that_may_not_grow)
{
    const int fd = created();
    unsigned char *bytes = some_bytes();
    omp_set_num_threads(8);
    limit_files(SIZE / 2);
    cr_assert_eq(spmv__memory_file_put(fd, bytes, SIZE, 0), EFBIG);
    close(fd);
    unlink(path);

    spmv_error err;
    spmv__sink *sink = opened(false);
    spmv__sink_write(sink, bytes, SIZE);
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(EFBIG)), "%s", err.message);
    cr_assert_str_eq(err.file, path);

    sink = opened(false);
    cr_assert_eq(spmv__write_lines(sink, SIZE / 8, 24, number_lines, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(EFBIG)), "%s", err.message);
    cr_assert_eq(files_in_folder(), 0);
    free(bytes);
}
