/* inputs.c -- the matrices that a batch is over. */
#include "cli/files/inputs.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static spmv_status out_of_memory(spmv_error *err)
{
    return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the names of the files");
}

/* ---- The list ------------------------------------------------------------------------------- */

static spmv_status add(tool_inputs *all, const char *path, size_t folder, bool generated,
                       spmv_error *err)
{
    if (all->count == all->room) {
        const int room = all->room > 0 ? 2 * all->room : 64;
        tool_input *item = realloc(all->item, (size_t)room * sizeof *item);
        if (item == NULL) return out_of_memory(err);
        all->item = item;
        all->room = room;
    }
    char *copy = strdup(path);
    if (copy == NULL) return out_of_memory(err);
    all->item[all->count++] = (tool_input){.path = copy, .folder = folder, .generated = generated};
    return SPMV_SUCCESS;
}

spmv_status tool_inputs_generate(tool_inputs *out, const char *specification, spmv_error *err)
{
    return add(out, specification, 0, true, err);
}

static void forget(const tool_input *input)
{
    free(input->path);
    free(input->name);
}

void tool_inputs_destroy(tool_inputs *inputs)
{
    for (int i = 0; i < inputs->count; i++) forget(&inputs->item[i]);
    free(inputs->item);
    *inputs = (tool_inputs){0};
}

spmv_status tool_inputs_files(operands *out, const tool_inputs *inputs, spmv_error *err)
{
    *out = (operands){.word = calloc((size_t)inputs->count + 1, sizeof *out->word)};
    if (out->word == NULL) return out_of_memory(err);
    for (int i = 0; i < inputs->count; i++)
        if (!inputs->item[i].generated) out->word[out->count++] = inputs->item[i].path;
    return SPMV_SUCCESS;
}

/* ---- Which files hold a matrix -------------------------------------------------------------- */

/* Text that may as well be something else. */
static bool is_any_text(const char *path)
{
    return tool_has_suffix(path, ".txt") || tool_has_suffix(path, ".csv") ||
           tool_has_suffix(path, ".tsv");
}

static bool is_archive(const char *path)
{
    return tool_has_suffix(path, ".tar") || tool_has_suffix(path, ".tgz") ||
           tool_has_suffix(path, ".zip");
}

static bool has_known_suffix(const char *path)
{
    return spmv_file_format_of(path) != NULL || is_archive(path);
}

/* ---- Folders -------------------------------------------------------------------------------- */

/* Looking through a folder, and what it holds beside matrices, in words. */
typedef struct folder_search {
    const spmv_read_options *reading;
    size_t folder; /* what of each path is the folder, with its slash */
    int left_out;
    char names[160];
} folder_search;

enum { NAMED = 4 };

static void leave_out(folder_search *s, const char *name)
{
    const size_t used = strlen(s->names);
    if (s->left_out++ >= NAMED) return;
    snprintf(s->names + used, sizeof s->names - used, "%s%.30s", used > 0 ? ", " : "", name);
}

static void tell_left_out(const folder_search *s, const char *folder)
{
    if (s->left_out > NAMED)
        tool_note("%s: left out, not matrices: %s and %d more", folder, s->names,
                  s->left_out - NAMED);
    else if (s->left_out > 0)
        tool_note("%s: left out, not %s: %s", folder, s->left_out == 1 ? "a matrix" : "matrices",
                  s->names);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Returns "folder/name", with a suffix; NULL: out of memory. */
static char *join(const char *folder, const char *name, const char *suffix)
{
    const size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s%s", folder, name, suffix);
    return path;
}

/* An unpacked archive of the SuiteSparse collection is the folder NAME with NAME.mtx and, perhaps,
 * right-hand sides and solutions: of these only the matrix counts. */
static spmv_status add_unpacked(tool_inputs *all, const char *path, size_t folder, bool *found,
                                spmv_error *err)
{
    struct stat info;
    char *file = join(path, tool_base_name(path), ".mtx");
    if (file == NULL) return out_of_memory(err);
    *found = stat(file, &info) == 0 && S_ISREG(info.st_mode);
    const spmv_status st = *found ? add(all, file, folder, false, err) : SPMV_SUCCESS;
    free(file);
    return st;
}

/* A folder, and the one that it was found in: a link may lead back to one of them. */
typedef struct open_folder {
    const struct open_folder *above;
    dev_t device;
    ino_t inode;
} open_folder;

static bool is_open(const open_folder *folder, const struct stat *info)
{
    while (folder != NULL && (folder->device != info->st_dev || folder->inode != info->st_ino))
        folder = folder->above;
    return folder != NULL;
}

static spmv_status add_folder(tool_inputs *all, const char *path, const open_folder *above,
                              folder_search *s, spmv_error *err);

static spmv_status add_inner_folder(tool_inputs *all, const char *path, const open_folder *above,
                                    folder_search *s, spmv_error *err)
{
    const spmv_status st = add_folder(all, path, above, s, err);
    if (st != SPMV_ERROR_FILE_IO) return st;
    tool_print_error(st, err);
    all->unread = st;
    return SPMV_SUCCESS;
}

/* A file or folder in a folder; who opened a pipe or a device would wait for others. */
static spmv_status add_entry(tool_inputs *all, const char *path, const open_folder *above,
                             folder_search *s, spmv_error *err)
{
    if (is_folder(path)) return add_inner_folder(all, path, above, s, err);
    if (has_known_suffix(path) && !tool_is_stream(path) &&
        (!is_any_text(path) || spmv_file_is_likely(path, s->reading)))
        return add(all, path, s->folder, false, err);
    leave_out(s, path + s->folder);
    return SPMV_SUCCESS;
}

/* `path` has no slash at its end. */
static spmv_status add_folder(tool_inputs *all, const char *path, const open_folder *above,
                              folder_search *s, spmv_error *err)
{
    struct dirent **entries;
    struct stat info;
    bool found = false;
    if (stat(path, &info) != 0) return tool_fail_on(path, errno, err);
    if (is_open(above, &info)) return SPMV_SUCCESS;
    const open_folder here = {above, info.st_dev, info.st_ino};
    spmv_status st = add_unpacked(all, path, s->folder, &found, err);
    if (st != SPMV_SUCCESS || found) return st;
    const int n = scandir(path, &entries, is_visible, alphasort);
    if (n < 0) return tool_fail_on(path, errno, err);
    for (int i = 0; i < n; i++) {
        char *file = join(path, entries[i]->d_name, "");
        if (file == NULL)
            st = out_of_memory(err);
        else if (st == SPMV_SUCCESS)
            st = add_entry(all, file, &here, s, err);
        free(file);
        free(entries[i]);
    }
    free(entries);
    return st;
}

/* A file that was named counts whatever it is called: reading it says whether it is a
 * matrix.  A folder is the same with slashes after its name. */
static spmv_status add_word(tool_inputs *all, const char *word, const spmv_read_options *reading,
                            spmv_error *err)
{
    const size_t base = (size_t)(tool_base_name(word) - word);
    if (tool_is_stdio(word) || !is_folder(word)) return add(all, word, base, false, err);
    size_t length = strlen(word);
    while (length > 1 && word[length - 1] == '/') length--;
    char *path = strndup(word, length);
    if (path == NULL) return out_of_memory(err);
    const int before = all->count;
    folder_search search = {.reading = reading, .folder = length + 1};
    const spmv_status st = add_folder(all, path, NULL, &search, err);
    if (st == SPMV_SUCCESS && all->count == before)
        tool_warn("%s: there is no matrix in this folder", word);
    tell_left_out(&search, path);
    free(path);
    return st;
}

spmv_status tool_inputs_find(tool_inputs *out, const operands *words,
                             const spmv_read_options *reading, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < words->count; i++) TOOL_TRY(add_word(out, words->word[i], reading, err));
done:
    return st;
}

/* ---- Which are alike ------------------------------------------------------------------------ */

typedef int (*input_order)(const tool_input *a, const tool_input *b);

static int compare_sources(const tool_input *a, const tool_input *b)
{
    return a->generated != b->generated ? a->generated - b->generated : strcmp(a->path, b->path);
}

static int compare_names(const tool_input *a, const tool_input *b)
{
    return strcmp(a->name, b->name);
}

/* Those that are alike keep their order. */
static int in_order(const void *a, const void *b, input_order compare)
{
    const tool_input *left = *(tool_input *const *)a, *right = *(tool_input *const *)b;
    const int order = compare(left, right);
    return order != 0 ? order : (left > right) - (left < right);
}

static int sort_by_source(const void *a, const void *b)
{
    return in_order(a, b, compare_sources);
}

static int sort_by_name(const void *a, const void *b)
{
    return in_order(a, b, compare_names);
}

/* Which are marked: those that are like one before them, and with `both` like one behind them. */
typedef struct likeness {
    input_order compare;
    int (*sort)(const void *a, const void *b);
    bool both;
} likeness;

static const likeness repeated = {compare_sources, sort_by_source, false};
static const likeness of_one_name = {compare_names, sort_by_name, true};

static spmv_status mark(bool *marks, const tool_inputs *all, likeness how, spmv_error *err)
{
    const size_t count = (size_t)all->count;
    tool_input **sorted = calloc(count + 1, sizeof(tool_input *));
    if (sorted == NULL) return out_of_memory(err);
    for (size_t i = 0; i < count; i++) sorted[i] = &all->item[i];
    qsort(sorted, count, sizeof *sorted, how.sort);
    memset(marks, false, count * sizeof *marks);
    for (size_t i = 1; i < count; i++) {
        if (how.compare(sorted[i - 1], sorted[i]) != 0) continue;
        marks[sorted[i] - all->item] = true;
        if (how.both) marks[sorted[i - 1] - all->item] = true;
    }
    free(sorted);
    return SPMV_SUCCESS;
}

/* Keep those that are not `left_out`. */
static void leave_out_items(tool_inputs *all, const bool *left_out)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++)
        if (left_out[i])
            forget(&all->item[i]);
        else
            all->item[kept++] = all->item[i];
    all->count = kept;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* Returns the length of a path without a suffix that a format has, and what packs it. */
static size_t bare_length(const char *path)
{
    char suffix[SPMV_SUFFIX_SIZE];
    const size_t size = strlen(spmv_path_suffix(path, suffix)), length = strlen(path);
    if (size == 0 || !has_known_suffix(path)) return length;
    for (size_t i = length - size; i > 0; i--)
        if (strncasecmp(path + i, suffix, size) == 0 && strchr(".", path[i + size]) != NULL)
            return i;
    return length;
}

/* The forms of a name, from short to long: without folder and suffix, with the suffix, and all. */
enum { SHORT, WITH_SUFFIX, WHOLE, FORMS };

/* HB/bus/bus becomes HB/bus. */
static void drop_repeated(char *name)
{
    char *last = strrchr(name, '/');
    if (last == NULL) return;
    char *before = last;
    while (before > name && before[-1] != '/') before--;
    const size_t length = (size_t)(last - before);
    if (strlen(last + 1) == length && strncmp(before, last + 1, length) == 0) *last = '\0';
}

/* Returns NULL where there is too little memory. */
static char *name_in_form(const tool_input *input, int form)
{
    const bool is_standard = !input->generated && tool_is_stdio(input->path);
    const char *inside = is_standard ? "stdin" : input->path + input->folder;
    if (input->generated || form == WHOLE) return strdup(input->path);
    if (form == WITH_SUFFIX) return strdup(inside);
    char *name = strndup(inside, bare_length(inside));
    if (name != NULL) drop_repeated(name);
    return name;
}

/* Give each that is `chosen` its name in a form. */
static spmv_status name_all(tool_inputs *all, const bool *chosen, int form, spmv_error *err)
{
    for (int i = 0; i < all->count; i++) {
        if (!chosen[i]) continue;
        free(all->item[i].name);
        all->item[i].name = name_in_form(&all->item[i], form);
        if (all->item[i].name == NULL) return out_of_memory(err);
    }
    return SPMV_SUCCESS;
}

/* Each gets the shortest form that it shares with no other. */
static spmv_status give_names(tool_inputs *all, bool *chosen, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    memset(chosen, true, (size_t)all->count * sizeof *chosen);
    for (int form = SHORT; form < FORMS; form++) {
        TOOL_TRY(name_all(all, chosen, form, err));
        TOOL_TRY(mark(chosen, all, of_one_name, err));
    }
done:
    return st;
}

/* ---- Choosing ------------------------------------------------------------------------------- */

static bool fits(const option_words *patterns, const char *name)
{
    for (int i = 0; i < patterns->count; i++)
        if (fnmatch(patterns->word[i], name, 0) == 0 ||
            fnmatch(patterns->word[i], tool_base_name(name), 0) == 0)
            return true;
    return false;
}

/* Names count as they are shown, and with and without their suffix whichever form that is: files of
 * the same name elsewhere change nothing about these. */
static spmv_status is_left_out(bool *out, const tool_input *input, const option_words *match,
                               const option_words *exclude, spmv_error *err)
{
    bool wanted = match->count == 0 || fits(match, input->name);
    bool unwanted = fits(exclude, input->name);
    for (int form = SHORT; form <= WITH_SUFFIX; form++) {
        char *name = name_in_form(input, form);
        if (name == NULL) return out_of_memory(err);
        wanted = wanted || fits(match, name);
        unwanted = unwanted || fits(exclude, name);
        free(name);
    }
    *out = !wanted || unwanted;
    return SPMV_SUCCESS;
}

spmv_status tool_inputs_choose(tool_inputs *inputs, const option_words *match,
                               const option_words *exclude, spmv_error *err)
{
    spmv_status st;
    bool *marks = calloc((size_t)inputs->count + 1, sizeof *marks);
    if (marks == NULL) return out_of_memory(err);
    TOOL_TRY(mark(marks, inputs, repeated, err));
    leave_out_items(inputs, marks);
    const int before = inputs->count;
    TOOL_TRY(give_names(inputs, marks, err));
    for (int i = 0; i < before; i++)
        TOOL_TRY(is_left_out(&marks[i], &inputs->item[i], match, exclude, err));
    leave_out_items(inputs, marks);
    if (inputs->count == 0 && before > 0)
        st = tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                       "--match and --exclude leave none of %d matri%s", before,
                       before == 1 ? "x" : "ces");
done:
    free(marks);
    return st;
}
