/* option_word.c -- lists of words that an option accepts. */
#include "suggest.h"
#include "tool.h"

#include <string.h>

const char *option_word(const char *words, int i, int *length)
{
    for (; i > 0 && words != NULL; i--) {
        words = strchr(words, '|');
        if (words != NULL) words++;
    }
    if (words != NULL) *length = (int)strcspn(words, "|");
    return words;
}

spmv_status option_check_name(const char *what, const char *word, const char *(*names)(int i),
                              spmv_error *err)
{
    suggestion near = {.word = word};
    const char *name;
    for (int i = 0; (name = names(i)) != NULL; i++) {
        if (strcmp(name, word) == 0) return SPMV_SUCCESS;
        suggestion_consider(&near, name);
    }
    if (near.name != NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "unknown %s %.60s; did you mean %s?",
                         what, word, near.name);
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "unknown %s %.60s", what, word);
}
