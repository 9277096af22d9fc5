/* edge_list_write.c -- matrices as edge lists that everybody reads: nodes from 0, no headings.
 *
 * The programs of the GAP suite stop at the first line that is no edge.  That is why the number of
 * nodes, which an edge list cannot tell when its last nodes have no edges, stands in a comment at
 * the end. */
#include "edge_list.h"

static void visit(void *user, int64_t row, int64_t col, const void *val)
{
    int64_t *largest = user;
    (void)val;
    if (row > *largest) *largest = row;
    if (col > *largest) *largest = col;
}

spmv_status spmv_write_edges(const spmv_matrix *A, const char *path,
                             const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && path != NULL && spmv__format_of(A->format) != NULL, err);
    spmv_status st;
    const spmv_matrix *listed;
    spmv_matrix made = {0};
    spmv__sink *sink = NULL;
    int64_t largest = -1;

    if (spmv_type_is_complex(A->head.type))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "an edge list holds no complex values; --complex real, imag or abs makes "
                          "them real");
    if (A->head.rows != A->head.cols)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "an edge list holds a square matrix; this one is %lld x %lld",
                          (long long)A->head.rows, (long long)A->head.cols);
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "an edge list cannot tell that a matrix is symmetric: expand it first");
    SPMV__TRY(spmv__prepare_write(&listed, &made, A, true, SPMV__LISTED, options, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__write_entries(sink, listed, 0, err));
    spmv__format_of(listed->format)->each(listed, visit, &largest);
    if (largest + 1 < A->head.rows || largest < 0)
        spmv__sink_printf(sink, "# Nodes: %lld\n", (long long)A->head.rows);
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_destroy(&made);
    return st;
}
