/* symmetrize_part.c -- a part of a graph with each edge both ways.
 *
 * Each rank gets the rows of the transpose that it has of the graph, and adds the two up row by
 * row; so no rank ever has all edges.  What comes of that is cut anew, as some rows get many
 * entries of the transpose. */
#include "core/convert/image.h"
#include "core/matrix/format.h"
#include "core/parts/partition.h"
#include "core/parts/remade_parts.h"

#include <stdlib.h>

/* The transpose, of which each rank has the rows that it has of the part. */
static spmv_status transpose_alike(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                   spmv_error *err)
{
    spmv_part turned = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_transpose(&turned, comm, part, err));
    SPMV__TRY(spmv__part_move(out, comm, &turned, part->row_begin, err));
done:
    spmv_part_destroy(&turned);
    return st;
}

/* out = the part, cut by what its rows have now. */
static spmv_status cut_anew(spmv_part *out, spmv_comm *comm, const spmv_part *part, spmv_error *err)
{
    int64_t *begin = NULL;
    spmv_status st = spmv__alloc(&begin, comm->size + 1, sizeof *begin, "a partition", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__share_out_anew(begin, comm, part->row_begin, part->own.row_ptr, err));
    SPMV__TRY(spmv__part_move(out, comm, part, begin, err));
done:
    free(begin);
    return st;
}

static spmv__mirrored_rows mirrored_rows(const spmv_comm *comm, const spmv_part *part,
                                         const spmv_part *turned)
{
    return (spmv__mirrored_rows){&part->own, &turned->own, part->row_begin[comm->rank]};
}

/* Add the transpose, which is released on the way. */
static spmv_status add_transpose(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                 spmv_part *turned, spmv_error *err)
{
    spmv_part both = {0};
    const spmv__mirrored_rows rows = mirrored_rows(comm, part, turned);
    spmv_status st = spmv__part_frame(&both, comm, part->rows, part->cols, part->row_begin, err);
    if (st == SPMV_SUCCESS)
        st = spmv__add_rows(&both.own, &rows, SPMV_SYMMETRIC, &(spmv__meter){0}, err);
    spmv_part_destroy(turned);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__part_place(&both, comm);
    SPMV__TRY(cut_anew(out, comm, &both, err));
done:
    spmv_part_destroy(&both);
    return st;
}

spmv_status spmv_part_symmetrize(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                 spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != part, err);
    *out = (spmv_part){0};
    SPMV__REQUIRE(comm != NULL && part != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    spmv_part turned = {0};
    spmv_status st;
    SPMV__TRY(spmv__check_square(part->rows, part->cols, err));
    SPMV__TRY(transpose_alike(&turned, comm, part, err));
    const spmv__mirrored_rows rows = mirrored_rows(comm, part, &turned);
    if (spmv__comm_sum_words(comm, !spmv__rows_are_symmetric(&rows)) == 0)
        st = cut_anew(out, comm, part, err);
    else
        st = add_transpose(out, comm, part, &turned, err);
done:
    spmv_part_destroy(&turned);
    return st;
}
