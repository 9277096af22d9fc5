/* graph_fuzz.c -- any text as an edge list, a METIS or DIMACS graph, or GraphML.
 *
 * What looks packed is the business of packed_fuzz, whose decoders need more memory. */
#include "formats/stream/packing.h"
#include "fuzz.h"

#include <string.h>

/* Whether one of the names is no number, so that text without a comment is read as words, too. */
static bool has_letter(const spmv_labels *labels)
{
    for (int64_t i = 0; i < labels->n; i++) {
        const char *name = labels->names + labels->name_ptr[i];
        if (name[strspn(name, "+-. 0123456789")] != '\0') return true;
    }
    return false;
}

/* Written under its names and read again, a graph has the same ones. */
static void try_names(const spmv_matrix *A, const spmv_labels *labels)
{
    static const char *const paths[] = {"named.csr", "named.el", "named.csv", "named.tsv"};
    const spmv_write_options write = {.overwrite = true, .labels = labels};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        spmv_matrix B;
        spmv_file_info info;
        const spmv_status st = spmv_write(A, paths[i], &write, NULL);
        if (st == SPMV_ERROR_UNSUPPORTED) continue; /* a node has no edge, or a triangle is kept */
        FUZZ_PROMISE(st == SPMV_SUCCESS);
        FUZZ_PROMISE(spmv_read(&B, paths[i], NULL, &info, NULL) == SPMV_SUCCESS);
        FUZZ_PROMISE(spmv_labels_equal(labels, &info.labels));
        FUZZ_PROMISE(A->head.nnz == B.head.nnz);
        spmv_labels_destroy(&info.labels);
        spmv_destroy(&B);
    }
}

static void try_labels(const uint8_t *data, size_t size, const spmv_read_options *options)
{
    spmv_matrix A;
    spmv_file_info info;
    fuzz_file(data, size);
    if (spmv_read(&A, FUZZ_PATH, options, &info, NULL) != SPMV_SUCCESS) return;
    if (info.labels.name_ptr != NULL && has_letter(&info.labels)) try_names(&A, &info.labels);
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"el", "metis", "dimacs", "graphml"};
    static const char *const columns[] = {NULL, NULL, "2,1", "1,3,2", "source,target"};
    spmv_read_options options = fuzz_options(size);
    if (spmv__packing_by_content(data, (int64_t)size) != NULL) return 0;
    options.file_format = names[size % 4];
    options.all_ids = size % 5 == 1;
    options.columns = columns[size / 3 % 5];
    options.headings = (spmv_headings)(size / 7 % 3);
    options.delimiter = ",; \t\0\0\0"[size / 11 % 7];
    fuzz_matrix(data, size, &options);
    try_labels(data, size, &options);
    return 0;
}
