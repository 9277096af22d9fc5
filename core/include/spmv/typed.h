/* spmv/typed.h -- the functions of every format under its own name, for programs that hold one
 * format and no spmv_matrix; a chapter of spmv.h, which has the conventions.
 *
 * Each does, with the same errors and cost, what the function for any format does:
 *   destroy                 spmv_destroy
 *   from_dense, to_dense    spmv_from_dense, spmv_to_dense
 *   from_csr, to_csr        spmv_convert with the defaults of spmv_convert_options
 *   get_element             spmv_get_element
 *   serialize               spmv_write_binary
 *   deserialize             spmv_read of such a file; another format: INVALID_FORMAT
 *   to_gpu, from_gpu        spmv_to_gpu, spmv_from_gpu; another format there: INVALID_FORMAT
 *   multiply                spmv_multiply */
#ifndef SPMV_TYPED_H
#define SPMV_TYPED_H

#include "spmv/multiply.h"

#ifdef __cplusplus
extern "C" {
#endif

void spmv_coo_destroy(spmv_coo *A);
spmv_status spmv_coo_from_dense(spmv_coo *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_coo_to_dense(const spmv_coo *A, double *dense);
spmv_status spmv_coo_from_csr(spmv_coo *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_coo_to_csr(spmv_csr *out, const spmv_coo *A, spmv_error *err);
spmv_status spmv_coo_get_element(const spmv_coo *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_coo_serialize(const spmv_coo *A, const char *path, spmv_error *err);
spmv_status spmv_coo_deserialize(spmv_coo *out, const char *path, spmv_error *err);
spmv_status spmv_coo_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_coo *A,
                            spmv_error *err);
spmv_status spmv_coo_from_gpu(spmv_coo *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_coo_multiply(const spmv_coo *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

void spmv_csr_destroy(spmv_csr *A);
spmv_status spmv_csr_from_dense(spmv_csr *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_csr_to_dense(const spmv_csr *A, double *dense);
spmv_status spmv_csr_from_csr(spmv_csr *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_csr_to_csr(spmv_csr *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_csr_get_element(const spmv_csr *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_csr_serialize(const spmv_csr *A, const char *path, spmv_error *err);
spmv_status spmv_csr_deserialize(spmv_csr *out, const char *path, spmv_error *err);
spmv_status spmv_csr_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_csr *A,
                            spmv_error *err);
spmv_status spmv_csr_from_gpu(spmv_csr *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_csr_multiply(const spmv_csr *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

void spmv_csc_destroy(spmv_csc *A);
spmv_status spmv_csc_from_dense(spmv_csc *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_csc_to_dense(const spmv_csc *A, double *dense);
spmv_status spmv_csc_from_csr(spmv_csc *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_csc_to_csr(spmv_csr *out, const spmv_csc *A, spmv_error *err);
spmv_status spmv_csc_get_element(const spmv_csc *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_csc_serialize(const spmv_csc *A, const char *path, spmv_error *err);
spmv_status spmv_csc_deserialize(spmv_csc *out, const char *path, spmv_error *err);
spmv_status spmv_csc_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_csc *A,
                            spmv_error *err);
spmv_status spmv_csc_from_gpu(spmv_csc *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_csc_multiply(const spmv_csc *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

void spmv_ell_destroy(spmv_ell *A);
spmv_status spmv_ell_from_dense(spmv_ell *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_ell_to_dense(const spmv_ell *A, double *dense);
spmv_status spmv_ell_from_csr(spmv_ell *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_ell_to_csr(spmv_csr *out, const spmv_ell *A, spmv_error *err);
spmv_status spmv_ell_get_element(const spmv_ell *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_ell_serialize(const spmv_ell *A, const char *path, spmv_error *err);
spmv_status spmv_ell_deserialize(spmv_ell *out, const char *path, spmv_error *err);
spmv_status spmv_ell_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_ell *A,
                            spmv_error *err);
spmv_status spmv_ell_from_gpu(spmv_ell *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_ell_multiply(const spmv_ell *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

void spmv_hyb_destroy(spmv_hyb *A);
spmv_status spmv_hyb_from_dense(spmv_hyb *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_hyb_to_dense(const spmv_hyb *A, double *dense);
spmv_status spmv_hyb_from_csr(spmv_hyb *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_hyb_to_csr(spmv_csr *out, const spmv_hyb *A, spmv_error *err);
spmv_status spmv_hyb_get_element(const spmv_hyb *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_hyb_serialize(const spmv_hyb *A, const char *path, spmv_error *err);
spmv_status spmv_hyb_deserialize(spmv_hyb *out, const char *path, spmv_error *err);
spmv_status spmv_hyb_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_hyb *A,
                            spmv_error *err);
spmv_status spmv_hyb_from_gpu(spmv_hyb *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_hyb_multiply(const spmv_hyb *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

void spmv_jds_destroy(spmv_jds *A);
spmv_status spmv_jds_from_dense(spmv_jds *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_jds_to_dense(const spmv_jds *A, double *dense);
spmv_status spmv_jds_from_csr(spmv_jds *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_jds_to_csr(spmv_csr *out, const spmv_jds *A, spmv_error *err);
spmv_status spmv_jds_get_element(const spmv_jds *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_jds_serialize(const spmv_jds *A, const char *path, spmv_error *err);
spmv_status spmv_jds_deserialize(spmv_jds *out, const char *path, spmv_error *err);
spmv_status spmv_jds_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_jds *A,
                            spmv_error *err);
spmv_status spmv_jds_from_gpu(spmv_jds *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_jds_multiply(const spmv_jds *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

void spmv_sell_destroy(spmv_sell *A);
spmv_status spmv_sell_from_dense(spmv_sell *out, spmv_type type, int64_t rows, int64_t cols,
                                 const double *dense, spmv_error *err);
void spmv_sell_to_dense(const spmv_sell *A, double *dense);
spmv_status spmv_sell_from_csr(spmv_sell *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_sell_to_csr(spmv_csr *out, const spmv_sell *A, spmv_error *err);
spmv_status spmv_sell_get_element(const spmv_sell *A, int64_t row, int64_t col, spmv_scalar *value,
                                  spmv_error *err);
spmv_status spmv_sell_serialize(const spmv_sell *A, const char *path, spmv_error *err);
spmv_status spmv_sell_deserialize(spmv_sell *out, const char *path, spmv_error *err);
spmv_status spmv_sell_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_sell *A,
                             spmv_error *err);
spmv_status spmv_sell_from_gpu(spmv_sell *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                               spmv_error *err);
spmv_status spmv_sell_multiply(const spmv_sell *A, double alpha, const spmv_dense *x, double beta,
                               spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                               spmv_result *result, spmv_error *err);

void spmv_csell_destroy(spmv_csell *A);
spmv_status spmv_csell_from_dense(spmv_csell *out, spmv_type type, int64_t rows, int64_t cols,
                                  const double *dense, spmv_error *err);
void spmv_csell_to_dense(const spmv_csell *A, double *dense);
spmv_status spmv_csell_from_csr(spmv_csell *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_csell_to_csr(spmv_csr *out, const spmv_csell *A, spmv_error *err);
spmv_status spmv_csell_get_element(const spmv_csell *A, int64_t row, int64_t col,
                                   spmv_scalar *value, spmv_error *err);
spmv_status spmv_csell_serialize(const spmv_csell *A, const char *path, spmv_error *err);
spmv_status spmv_csell_deserialize(spmv_csell *out, const char *path, spmv_error *err);
spmv_status spmv_csell_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_csell *A,
                              spmv_error *err);
spmv_status spmv_csell_from_gpu(spmv_csell *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                                spmv_error *err);
spmv_status spmv_csell_multiply(const spmv_csell *A, double alpha, const spmv_dense *x, double beta,
                                spmv_dense *y, const spmv_kernel_options *options,
                                spmv_context *ctx, spmv_result *result, spmv_error *err);

void spmv_bsr_destroy(spmv_bsr *A);
spmv_status spmv_bsr_from_dense(spmv_bsr *out, spmv_type type, int64_t rows, int64_t cols,
                                const double *dense, spmv_error *err);
void spmv_bsr_to_dense(const spmv_bsr *A, double *dense);
spmv_status spmv_bsr_from_csr(spmv_bsr *out, const spmv_csr *A, spmv_error *err);
spmv_status spmv_bsr_to_csr(spmv_csr *out, const spmv_bsr *A, spmv_error *err);
spmv_status spmv_bsr_get_element(const spmv_bsr *A, int64_t row, int64_t col, spmv_scalar *value,
                                 spmv_error *err);
spmv_status spmv_bsr_serialize(const spmv_bsr *A, const char *path, spmv_error *err);
spmv_status spmv_bsr_deserialize(spmv_bsr *out, const char *path, spmv_error *err);
spmv_status spmv_bsr_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_bsr *A,
                            spmv_error *err);
spmv_status spmv_bsr_from_gpu(spmv_bsr *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                              spmv_error *err);
spmv_status spmv_bsr_multiply(const spmv_bsr *A, double alpha, const spmv_dense *x, double beta,
                              spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                              spmv_result *result, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
