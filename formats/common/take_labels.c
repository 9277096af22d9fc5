/* take_labels.c -- the labels of a matrix on their way from a file and into one. */
#include "formats/common/file_format.h"
#include "formats/text/digits.h"
#include "formats/common/name.h"

#include <stdlib.h>

void spmv__labels_take(spmv_labels *labels, int64_t *id, int64_t n)
{
    labels->n = n;
    labels->id = id;
    if (n > 0 && (id[0] > 1 || id[n - 1] - id[0] != n - 1)) return;
    if (n > 0) labels->first = id[0];
    labels->id = NULL;
    free(id);
}

spmv_labels spmv__labels_to_write(const spmv_matrix *A, const spmv_write_options *options)
{
    const spmv_labels *given = options != NULL ? options->labels : NULL;
    if (given != NULL && A->head.rows == A->head.cols && given->n == A->head.rows) return *given;
    return (spmv_labels){.n = A->head.rows, .first = 1};
}

/* ---- As text -------------------------------------------------------------------------------- */

enum { INTEGER_SIZE = 20 + 7 }; /* digits, and what spmv__put_integer may overwrite after them */

int spmv__label_size(const spmv_labels *labels)
{
    int64_t longest = 0;
    if (labels->name_ptr == NULL) return INTEGER_SIZE;
    for (int64_t i = 0; i < labels->n; i++) {
        const int64_t size = labels->name_ptr[i + 1] - labels->name_ptr[i] - 1;
        if (size > longest) longest = size;
    }
    return (int)(2 * longest + 2); /* all of it quotes, and quoted */
}

char *spmv__put_label(char *out, const spmv_labels *labels, int64_t i, char separator)
{
    if (labels->name_ptr == NULL) return spmv__put_integer(out, (uint64_t)spmv_label_at(labels, i));
    const char *name = labels->names + labels->name_ptr[i];
    return spmv__name_put(out, name, labels->name_ptr[i + 1] - labels->name_ptr[i] - 1, separator);
}

static char separator_in(const char *table)
{
    return strcmp(table, "csv") == 0 ? ',' : strcmp(table, "tsv") == 0 ? '\t' : ' ';
}

char spmv__separator_of(const char *path, const spmv_write_options *options)
{
    char suffix[SPMV_SUFFIX_SIZE];
    const char *format = options != NULL ? options->file_format : NULL;
    const char named = format != NULL ? separator_in(format) : ' ';
    if (named != ' ' || *spmv_path_suffix(path, suffix) == '\0') return named;
    return separator_in(suffix + 1);
}
