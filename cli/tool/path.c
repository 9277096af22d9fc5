/* path.c -- names of files on the command line. */
#include "cli/tool/path.h"
#include "spmv.h"

#include <string.h>
#include <sys/stat.h>

bool tool_is_stdio(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strcmp(path, "/dev/stdout") == 0;
}

bool tool_is_stream(const char *path)
{
    struct stat info;
    return tool_is_stdio(path) || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

const char *tool_input_name(const char *path)
{
    return tool_is_stdio(path) ? "<stdin>" : path;
}

const char *tool_output_name(const char *path)
{
    return tool_is_stdio(path) ? "<stdout>" : path;
}

bool tool_has_suffix(const char *path, const char *suffix)
{
    char own[SPMV_SUFFIX_SIZE];
    return strcmp(spmv_path_suffix(path, own), suffix) == 0;
}

const char *tool_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *tool_folder_of(const char *path)
{
    const size_t length = (size_t)(tool_base_name(path) - path);
    return length > 0 ? strndup(path, length) : strdup(".");
}

int64_t tool_file_bytes(const char *path)
{
    struct stat info;
    return !tool_is_stdio(path) && stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
}
