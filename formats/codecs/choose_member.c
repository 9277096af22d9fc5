/* choose_member.c -- which member of an archive is the matrix.
 *
 * In an archive of the SuiteSparse collection it is NAME/NAME.mtx, beside right-hand sides, further
 * matrices of a sequence and lists of names.  Elsewhere it is the only file with the suffix of a
 * matrix, or the only file. */
#include "formats/codecs/archive.h"

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

/* Returns whether `wanted` names the file, in full or by its last parts. */
static bool is_wanted(const char *name, const char *wanted)
{
    const size_t length = strlen(name), tail = strlen(wanted);
    return tail > 0 && tail <= length && strcmp(name + length - tail, wanted) == 0 &&
           (tail == length || name[length - tail - 1] == '/');
}

static spmv__member_class class_of(const spmv__member_choice *choice, const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash == NULL ? name : slash + 1;
    if (choice->wanted != NULL)
        return is_wanted(name, choice->wanted) ? SPMV__MEMBER_MAIN : SPMV__MEMBER_FILE;
    if (strncmp(base, "._", 2) == 0) return SPMV__MEMBER_NONE; /* what macOS puts beside a file */
    const spmv__member_class by_suffix = choice->known->class_of(base);
    return by_suffix != SPMV__MEMBER_FILE && is_named_like_its_folder(name) ? SPMV__MEMBER_MAIN
                                                                            : by_suffix;
}

bool spmv__member_choice_add(spmv__member_choice *choice, const char *name)
{
    spmv__members *members = &choice->of[class_of(choice, name)];
    const size_t used = strlen(members->names);
    choice->office = choice->office || strcmp(name, "[Content_Types].xml") == 0;
    if (members->count == 0) members->first = choice->seen;
    if (members->count < LISTED)
        snprintf(members->names + used, sizeof members->names - used, "%s%.40s%s",
                 used > 0 ? ", " : "", name, strlen(name) > 40 ? "..." : "");
    else if (members->count == LISTED)
        snprintf(members->names + used, sizeof members->names - used, ", ...");
    members->count++;
    choice->seen++;
    return members == &choice->of[SPMV__MEMBER_MAIN] && members->count == 1;
}

spmv_status spmv__member_choice_check(const spmv__member_choice *choice, spmv__member_class kind,
                                      spmv_error *err)
{
    const spmv__members *members = &choice->of[kind];
    if (members->count < 2) return SPMV_SUCCESS;
    if (choice->office)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "the file is a document of Excel or the like, which is not supported: "
                          "save its table as CSV");
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "%lld members of the archive could be meant, `member` chooses: %s",
                      (long long)members->count, members->names);
}

spmv_status spmv__member_choice_settle(const spmv__member_choice *choice, int64_t *index,
                                       spmv_error *err)
{
    if (choice->wanted != NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "the archive has no member '%.60s'; it holds: %s", choice->wanted,
                          choice->of[SPMV__MEMBER_FILE].names);
    for (int kind = SPMV__MEMBER_MATRIX; kind >= SPMV__MEMBER_FILE; kind--) {
        const spmv__members *members = &choice->of[kind];
        if (members->count == 0) continue;
        *index = members->first;
        return spmv__member_choice_check(choice, (spmv__member_class)kind, err);
    }
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the archive holds no files");
}
