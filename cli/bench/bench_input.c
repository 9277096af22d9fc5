/* bench_input.c -- which matrices: files, those in folders, and those of --generate. */
#include "cli/bench/bench.h"
#include "cli/gen/generate_spec.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static spmv_status fail_on(const char *path, spmv_error *err)
{
    tool_fail(err, SPMV_ERROR_FILE_IO, "%s", strerror(errno));
    snprintf(err->file, sizeof err->file, "%s", path);
    return SPMV_ERROR_FILE_IO;
}

/* A file that is named twice is measured once. */
static bool is_there(const bench_inputs *all, const char *name, bool generated)
{
    for (int i = 0; i < all->count; i++)
        if (all->item[i].generated == generated && strcmp(all->item[i].name, name) == 0)
            return true;
    return false;
}

static spmv_status add(bench_inputs *all, const char *name, bool generated, spmv_error *err)
{
    all->found++;
    if (is_there(all, name, generated)) return SPMV_SUCCESS;
    if (all->count == all->room) {
        const int room = all->room > 0 ? 2 * all->room : 64;
        bench_input *item = realloc(all->item, (size_t)room * sizeof *item);
        if (item == NULL) goto failed;
        all->item = item;
        all->room = room;
    }
    char *copy = strdup(name);
    if (copy == NULL) goto failed;
    all->item[all->count++] = (bench_input){copy, generated};
    return SPMV_SUCCESS;
failed:
    return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the names of %d matrices",
                     all->count);
}

/* A file of a folder that holds a matrix, as far as its name tells. */
static bool looks_like_matrix(const char *name)
{
    static const char *const archives[] = {".tar", ".tgz", ".zip"};
    for (size_t i = 0; i < sizeof archives / sizeof archives[0]; i++)
        if (tool_has_suffix(name, archives[i])) return true;
    return spmv_file_format_of(name) != NULL;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static spmv_status add_path(bench_inputs *all, const char *path, bool named, spmv_error *err);

/* An unpacked archive of the SuiteSparse collection is the folder NAME with NAME.mtx and, perhaps,
 * right-hand sides and solutions: of these only the matrix counts. */
static bool add_unpacked(bench_inputs *all, const char *path, spmv_status *st, spmv_error *err)
{
    struct stat info;
    const char *name = tool_base_name(path);
    const size_t size = strlen(path) + strlen(name) + 6;
    char *file = malloc(size);
    if (file == NULL) return false;
    snprintf(file, size, "%s/%s.mtx", path, name);
    const bool found = stat(file, &info) == 0 && S_ISREG(info.st_mode);
    if (found) *st = add(all, file, false, err);
    free(file);
    return found;
}

/* `path` has no slash at its end. */
static spmv_status add_folder(bench_inputs *all, const char *path, spmv_error *err)
{
    struct dirent **entries;
    spmv_status st = SPMV_SUCCESS;
    if (add_unpacked(all, path, &st, err)) return st;
    const int n = scandir(path, &entries, visible, alphasort);
    if (n < 0) return fail_on(path, err);
    for (int i = 0; i < n; i++) {
        const size_t size = strlen(path) + strlen(entries[i]->d_name) + 2;
        char *file = malloc(size);
        if (file == NULL)
            st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the name of a file");
        if (st == SPMV_SUCCESS) {
            snprintf(file, size, "%s/%s", path, entries[i]->d_name);
            st = add_path(all, file, false, err);
        }
        free(file);
        free(entries[i]);
    }
    free(entries);
    return st;
}

/* A file that was named counts whatever it is called; whether it can be read is a matter of its
 * record. */
static spmv_status add_path(bench_inputs *all, const char *path, bool named, spmv_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return add_folder(all, path, err);
    return named || looks_like_matrix(path) ? add(all, path, false, err) : SPMV_SUCCESS;
}

/* A folder is the same with slashes behind its name. */
static spmv_status add_word(bench_inputs *all, const char *word, spmv_error *err)
{
    struct stat info;
    size_t length = strlen(word);
    if (stat(word, &info) == 0 && S_ISDIR(info.st_mode))
        while (length > 1 && word[length - 1] == '/') length--;
    char *path = strndup(word, length);
    if (path == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the name of a file");
    const int before = all->found;
    const spmv_status st = add_path(all, path, true, err);
    if (st == SPMV_SUCCESS && all->found == before)
        tool_warn("%s: there is no matrix in this folder", word);
    free(path);
    return st;
}

spmv_status bench_find_inputs(bench_inputs *out, const operands *words,
                              const option_words *generate, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < words->count; i++) TOOL_TRY(add_word(out, words->word[i], err));
    for (int i = 0; i < generate->count; i++) {
        const spmv_generator *kind;
        spmv_generate_options options = {0};
        TOOL_TRY(generate_parse(generate->word[i], &kind, &options, err));
        TOOL_TRY(add(out, generate->word[i], true, err));
    }
done:
    return st;
}

void bench_inputs_destroy(bench_inputs *inputs)
{
    for (int i = 0; i < inputs->count; i++) free(inputs->item[i].name);
    free(inputs->item);
    *inputs = (bench_inputs){0};
}
