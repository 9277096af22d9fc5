/* sink_folder_test.h -- a folder to write into, and what the tests of sinks share. */
#pragma once

#include "formats/stream/sink.h"

#include <errno.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[96];

static inline void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/spmv-sink-%ld", (long)getpid());
    cr_assert_eq(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/file", folder);
}

static inline int files_in_folder(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (readdir(d) != NULL) n++;
    closedir(d);
    return n - 2;
}

static inline void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

static inline spmv__sink *opened(bool overwrite)
{
    spmv__sink *sink;
    spmv_error err;
    cr_assert_eq(spmv__sink_open(&sink, path, &(spmv_write_options){.overwrite = overwrite}, &err),
                 SPMV_SUCCESS, "%s", err.message);
    return sink;
}

static inline void commit(spmv__sink *sink)
{
    spmv_error err;
    cr_assert_eq(spmv__sink_commit(&sink, &err), SPMV_SUCCESS, "%s", err.message);
}

static inline void assert_file(const char *name, const char *text)
{
    char bytes[256] = "";
    FILE *f = fopen(name, "r");
    cr_assert_not_null(f, "%s is not there", name);
    cr_assert_eq(fread(bytes, 1, sizeof bytes - 1, f), strlen(text));
    fclose(f);
    cr_assert_str_eq(bytes, text);
}

static inline void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    fputs(text, f);
    fclose(f);
}

static inline void assert_refused(const char *name, bool overwrite, const char *phrase)
{
    spmv__sink *sink;
    spmv_error err;
    cr_assert_eq(spmv__sink_open(&sink, name, &(spmv_write_options){.overwrite = overwrite}, &err),
                 SPMV_ERROR_FILE_IO);
    cr_assert_null(sink);
    cr_assert_not_null(strstr(err.message, phrase), "'%s' lacks '%s'", err.message, phrase);
    cr_assert_str_eq(err.file, name);
}
