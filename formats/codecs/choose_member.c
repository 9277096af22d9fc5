/* choose_member.c -- which member of an archive is the matrix.
 *
 * In an archive of the SuiteSparse collection it is NAME/NAME.mtx, beside right-hand sides, further
 * matrices of a sequence and lists of names.  Elsewhere it is the only file with the suffix of a
 * matrix, or the only file. */
#include "formats/file/file_format.h"
#include "formats/stream/unpack.h"

#include <stdio.h>

enum { LISTED = 4 }; /* names in a message at most */

/* NAME/NAME.suffix, perhaps in further folders. */
static bool is_named_like_its_folder(const char *name)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    if (slash == NULL || dot == NULL || dot < slash) return false;
    const char *folder = slash;
    while (folder > name && folder[-1] != '/') folder--;
    return dot - slash - 1 == slash - folder &&
           memcmp(folder, slash + 1, (size_t)(slash - folder)) == 0;
}

/* Does `wanted` name it: in full, or by its last parts? */
static bool is_wanted(const char *name, const char *wanted)
{
    const size_t length = strlen(name), tail = strlen(wanted);
    return tail > 0 && tail <= length && strcmp(name + length - tail, wanted) == 0 &&
           (tail == length || name[length - tail - 1] == '/');
}

static spmv__rank rank_of(const spmv__choice *choice, const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash == NULL ? name : slash + 1;
    if (choice->wanted != NULL)
        return is_wanted(name, choice->wanted) ? SPMV__RANK_MAIN : SPMV__RANK_FILE;
    if (strncmp(base, "._", 2) == 0) return SPMV__RANK_NONE; /* what macOS puts beside a file */
    const spmv__file_format *format = spmv__file_format_by_suffix(base);
    if (format == NULL) return SPMV__RANK_FILE;
    if (is_named_like_its_folder(name)) return SPMV__RANK_MAIN;
    return format->recognise != NULL ? SPMV__RANK_MATRIX : SPMV__RANK_NUMBERS;
}

bool spmv__choice_add(spmv__choice *choice, const char *name)
{
    spmv__ranked *ranked = &choice->ranked[rank_of(choice, name)];
    const size_t used = strlen(ranked->names);
    if (ranked->count == 0) ranked->first = choice->seen;
    if (ranked->count < LISTED)
        snprintf(ranked->names + used, sizeof ranked->names - used, "%s%.40s%s",
                 used > 0 ? ", " : "", name, strlen(name) > 40 ? "..." : "");
    else if (ranked->count == LISTED)
        snprintf(ranked->names + used, sizeof ranked->names - used, ", ...");
    ranked->count++;
    choice->seen++;
    return ranked == &choice->ranked[SPMV__RANK_MAIN] && ranked->count == 1;
}

spmv_status spmv__choice_check(const spmv__choice *choice, spmv__rank rank, spmv_error *err)
{
    const spmv__ranked *ranked = &choice->ranked[rank];
    if (ranked->count < 2) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "%lld members of the archive could be meant, --member chooses: %s",
                      (long long)ranked->count, ranked->names);
}

spmv_status spmv__choice_settle(const spmv__choice *choice, int64_t *index, spmv_error *err)
{
    if (choice->wanted != NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "the archive has no member '%.60s'; it holds: %s", choice->wanted,
                          choice->ranked[SPMV__RANK_FILE].names);
    for (int rank = SPMV__RANK_MATRIX; rank >= SPMV__RANK_FILE; rank--) {
        const spmv__ranked *ranked = &choice->ranked[rank];
        if (ranked->count == 0) continue;
        *index = ranked->first;
        return spmv__choice_check(choice, (spmv__rank)rank, err);
    }
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the archive holds no files");
}
