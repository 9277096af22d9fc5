/* steps.h -- a matrix that becomes another one in place.
 *
 * Each step replaces *A by what the library makes of it; on failure *A stays as it was. */
#pragma once

#include "cli/tool/common.h"

/* Read a whole matrix (a triangle is expanded) as a phase of the run; *A is empty before.
 * options and info may be NULL; warnings go where those of a tool go. */
spmv_status step_read(spmv_matrix *A, const char *path, const common_options *common,
                      const spmv_read_options *options, spmv_file_info *info, spmv_error *err);

/* Read a matrix as the file holds it: a triangle stays one where options say so, or the file is
 * binary.  The caller destroys the labels in *info, also on failure. */
spmv_status step_read_stored(spmv_matrix *A, const char *path, const common_options *common,
                             const spmv_read_options *options, spmv_file_info *info,
                             spmv_error *err);

/* Read a matrix of which each rank gets some rows; common->precision is not looked at.  options
 * and info may be NULL; info has labels on rank 0. */
spmv_status step_read_part(spmv_part *part, spmv_comm *comm, const char *path,
                           const common_options *common, spmv_partition partition,
                           const spmv_read_options *options, spmv_file_info *info, spmv_error *err);

const char *step_input_name(int i); /* what --from takes; NULL at the end */
const char *step_input_meant(const char *text);

/* Where *err says that a graph has too many nodes, add what would help. */
void step_blame_ids(spmv_status st, bool all_ids, spmv_error *err);

/* Warn of entries that skip_invalid has left out of a file; nothing where it has left out none. */
void step_warn_skipped(const char *name, const spmv_file_info *file);

/* Refuse a bipartite graph, whose nodes of one kind are rows and those of the other one columns,
 * where a graph is wanted: INVALID_DIMENSION. */
spmv_status step_check_kinds(const spmv_file_info *file, spmv_error *err);

/* Take each edge of a graph both ways, unless it is the same both ways already; `count`: one
 * without a weight that is given both ways is there twice. */
spmv_status step_undirected(spmv_matrix *A, bool count, const char *path, spmv_error *err);

/* Apply a change such as spmv_expand or spmv_transpose. */
typedef spmv_status step_change(spmv_matrix *out, const spmv_matrix *A,
                                const spmv_convert_options *build, spmv_error *err);
spmv_status step_apply(spmv_matrix *A, step_change *change, spmv_error *err);

/* Make coordinates of *A where transposing it in its format would take memory for each of rows, or
 * columns, that are far more than the entries. */
spmv_status step_before_transpose(spmv_matrix *A, spmv_error *err);

/* Change the type of the values.  A warning tells, once, what single precision loses of them; they
 * came from `path`. */
spmv_status step_type(spmv_matrix *A, spmv_type type, const char *path, spmv_error *err);

/* Do the same beside A, which stays as it is. */
spmv_status step_values(spmv_matrix *out, const spmv_matrix *A, spmv_type type, const char *path,
                        spmv_error *err);
void step_warn_lost(const char *path, const spmv_losses *lost); /* nothing where nothing is lost */

/* Whether a type is of single precision, real or complex; and whether values that are stored as one
 * type are rounded when they become another one. */
bool step_is_single(spmv_type type);
bool step_rounds(spmv_type stored, spmv_type type);

/* Additions and multiplications of real numbers that a product of numbers of these types takes,
 * added to others. */
double step_product_flops(spmv_type a, spmv_type b);

/* Change the format of A.  Nothing happens when A is in it already, unless `build` asks for a
 * width. */
spmv_status step_format(spmv_matrix *A, spmv_format format, const spmv_convert_options *build,
                        spmv_error *err);

/* Make a host vector show what is not written: all its numbers become NaN. */
void step_blank(spmv_dense *y);

/* Refuse the vectors of a product where they do not fit into memory together: two copies of x.
 *
 *   y        how many copies of it there are at one time
 *   vectors  columns of each copy
 *
 * Errors: OUT_OF_MEMORY. */
spmv_status step_check_vectors(const spmv_row_stats *stats, int y, int64_t vectors, spmv_type type,
                               spmv_error *err);
