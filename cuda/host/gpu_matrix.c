/* gpu_matrix.c -- matrices to the GPU and back, in any format: the format's list of arrays drives
 * it.
 *
 * Offsets and indices of 64 bits travel as 32 bits when all of them fit: half the bytes for every
 * kernel to read. */
#include "core/matrix/format.h"
#include "cuda/host/gpu_matrix.h"

#include <inttypes.h>
#include <stdlib.h>

/* Indices narrowed or widened at a time, so that no second copy of an array is held. */
enum { CHUNK = 1 << 20 };

bool spmv__gpu_matrix_is_narrow(const spmv_matrix *A)
{
    const spmv__format *format = spmv__format_of(A->format);
    const spmv_head *head = &A->head;
    int64_t largest = head->rows > head->cols ? head->rows : head->cols;
    if (head->nnz > largest) largest = head->nnz;
    for (int i = 0; i < format->param_count; i++) {
        const int64_t param = spmv__param(A, i);
        if (param > largest) largest = param;
    }
    return largest <= SPMV__NARROW_LIMIT;
}

/* Returns the bytes of one element on the device; 0 for the values of a pattern. */
static int64_t device_size(const spmv_gpu_matrix *A, const spmv__array *array)
{
    if (array->element == SPMV__I64 && A->narrow) return sizeof(int32_t);
    return (int64_t)spmv__element_size(array->element, A->shape.head.type);
}

static spmv_status upload_narrowed(spmv__gpu *gpu, int32_t *to, const int64_t *from, int64_t n,
                                   spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int32_t *chunk = NULL;

    SPMV__TRY(spmv__alloc(&chunk, n < CHUNK ? n : CHUNK, sizeof *chunk, "a chunk of indices", err));
    for (int64_t begin = 0; begin < n; begin += CHUNK) {
        const int64_t count = n - begin < CHUNK ? n - begin : CHUNK;
        for (int64_t i = 0; i < count; i++) chunk[i] = (int32_t)from[begin + i];
        SPMV__TRY(spmv__gpu_upload(gpu, to + begin, chunk, count * (int64_t)sizeof *chunk, err));
    }
done:
    free(chunk);
    return st;
}

static spmv_status download_narrowed(spmv__gpu *gpu, int64_t *to, const int32_t *from, int64_t n,
                                     spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int32_t *chunk = NULL;

    SPMV__TRY(spmv__alloc(&chunk, n < CHUNK ? n : CHUNK, sizeof *chunk, "a chunk of indices", err));
    for (int64_t begin = 0; begin < n; begin += CHUNK) {
        const int64_t count = n - begin < CHUNK ? n - begin : CHUNK;
        SPMV__TRY(
            spmv__gpu_download(gpu, chunk, from + begin, count * (int64_t)sizeof *chunk, err));
        for (int64_t i = 0; i < count; i++) to[begin + i] = chunk[i];
    }
done:
    free(chunk);
    return st;
}

spmv_status spmv__gpu_matrix_array(spmv__gpu *gpu, void **data, int64_t bytes, const char *name,
                                   spmv_error *err)
{
    spmv_status st = spmv__gpu_alloc(data, bytes + SPMV__ROOM_BEHIND, name, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__gpu_clear(gpu, (char *)*data + bytes, SPMV__ROOM_BEHIND, err);
}

/* Allocate and fill the device copy of one array; NULL stays NULL (the values of a pattern). */
static spmv_status upload_array(spmv__gpu *gpu, spmv_gpu_matrix *to, const spmv_matrix *A,
                                const spmv__array *array, spmv_error *err)
{
    const void *from = spmv__array_data(A, array);
    const int64_t count = array->count(A), bytes = count * device_size(to, array);
    void **data = spmv__array_pointer(&to->shape, array);

    if (from == NULL || bytes == 0) return SPMV_SUCCESS;
    const spmv_status st = spmv__gpu_matrix_array(gpu, data, bytes, array->name, err);
    if (st != SPMV_SUCCESS) return st;
    return array->element == SPMV__I64 && to->narrow
               ? upload_narrowed(gpu, *data, from, count, err)
               : spmv__gpu_upload(gpu, *data, from, bytes, err);
}

static spmv_status download_array(spmv__gpu *gpu, spmv_matrix *out, const spmv_gpu_matrix *A,
                                  const spmv__array *array, spmv_error *err)
{
    const void *from = spmv__array_data(&A->shape, array);
    const int64_t count = array->count(&A->shape);
    const size_t size = spmv__element_size(array->element, out->head.type);
    void **data = spmv__array_pointer(out, array);

    if (size == 0) return SPMV_SUCCESS;
    spmv_status st = spmv__alloc(data, count, size, array->name, err);
    if (st != SPMV_SUCCESS || count == 0) return st;
    return array->element == SPMV__I64 && A->narrow
               ? download_narrowed(gpu, *data, from, count, err)
               : spmv__gpu_download(gpu, *data, from, count * (int64_t)size, err);
}

/* Returns a matrix with the same head and parameters, and no arrays. */
static spmv_matrix without_arrays(const spmv_matrix *A)
{
    const spmv__format *format = spmv__format_of(A->format);
    spmv_matrix copy = *A;
    copy.head.storage = NULL;
    for (int i = 0; i < format->array_count; i++)
        *spmv__array_pointer(&copy, &format->arrays[i]) = NULL;
    return copy;
}

spmv_status spmv_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_matrix *A,
                        spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_gpu_matrix *copy = NULL;
    spmv__gpu *gpu = NULL;
    int64_t bytes = 0;

    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE_MATRIX(A, err);
    const spmv__format *format = spmv__format_of(A->format);

    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__alloc(&copy, 1, sizeof *copy, "the matrix on the GPU", err));
    copy->shape = without_arrays(A);
    copy->narrow = spmv__gpu_matrix_is_narrow(A);
    copy->device = ctx->device;
    copy->loads = A->format == SPMV_CSR ? spmv__longest_loads(A->csr.row_ptr, A->head.rows) : 0;
    for (int i = 0; i < format->array_count; i++)
        bytes +=
            format->arrays[i].count(A) * device_size(copy, &format->arrays[i]) + SPMV__ROOM_BEHIND;
    SPMV__TRY(spmv__gpu_fits(bytes, "the matrix", err));
    for (int i = 0; i < format->array_count; i++)
        SPMV__TRY(upload_array(gpu, copy, A, &format->arrays[i], err));
    *out = copy;
    copy = NULL;
done:
    spmv_gpu_matrix_destroy(copy);
    return st;
}

/* Allocate the arrays that have elements and are not there yet. */
static spmv_status allocate_arrays(spmv_gpu_matrix *A, spmv_context *ctx, spmv_error *err)
{
    const spmv__format *format = spmv__format_of(A->shape.format);
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < format->array_count; i++) {
        const spmv__array *array = &format->arrays[i];
        const int64_t bytes = array->count(&A->shape) * device_size(A, array);
        void **data = spmv__array_pointer(&A->shape, array);
        if (bytes > 0 && *data == NULL)
            SPMV__TRY(spmv__gpu_matrix_array(ctx->gpu, data, bytes, array->name, err));
    }
done:
    return st;
}

spmv_status spmv__gpu_matrix_blank(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_matrix *A,
                                   spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_gpu_matrix *copy = NULL;
    *out = NULL;
    SPMV__TRY(spmv__alloc(&copy, 1, sizeof *copy, "the matrix on the GPU", err));
    copy->shape = without_arrays(A);
    copy->narrow = spmv__gpu_matrix_is_narrow(A);
    copy->device = ctx->device;
    copy->awaited = true; /* kernels fill it */
    SPMV__TRY(allocate_arrays(copy, ctx, err));
    *out = copy;
    copy = NULL;
done:
    spmv_gpu_matrix_destroy(copy);
    return st;
}

spmv_status spmv__gpu_matrix_add_entries(spmv_gpu_matrix *A, spmv_context *ctx, int64_t nnz,
                                         spmv_error *err)
{
    A->shape.head.nnz = nnz;
    return allocate_arrays(A, ctx, err);
}

spmv_status spmv_from_gpu(spmv_matrix *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                          spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_matrix copy;
    spmv__gpu *gpu = NULL;

    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_matrix){0};
    SPMV__REQUIRE(A != NULL, err);
    const spmv__format *format = spmv__format_of(A->shape.format);

    copy = without_arrays(&A->shape);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    for (int i = 0; i < format->array_count; i++)
        SPMV__TRY(download_array(gpu, &copy, A, &format->arrays[i], err));
    *out = copy;
    copy = without_arrays(&copy);
done:
    spmv_destroy(&copy);
    return st;
}

spmv_status spmv__gpu_matrix_check_own(const spmv_gpu_matrix *A, spmv_error *err)
{
    if (!A->borrowed) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                      "the matrix on the GPU is in arrays of the caller's, who writes to them");
}

/* Whether two matrices have arrays of the same sizes. */
static bool is_alike(const spmv_matrix *A, const spmv_matrix *B)
{
    const spmv_head *a = &A->head, *b = &B->head;
    if (A->format != B->format || a->type != b->type || a->symmetry != b->symmetry) return false;
    for (int i = 0; i < spmv__format_of(A->format)->param_count; i++)
        if (spmv__param(A, i) != spmv__param(B, i)) return false;
    return true;
}

spmv_status spmv_gpu_matrix_set(spmv_gpu_matrix *to, spmv_context *ctx, const spmv_matrix *from,
                                spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;
    SPMV__REQUIRE(to != NULL && from != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__REQUIRE(to->device == ctx->device, err);
    SPMV__TRY(spmv__gpu_matrix_check_own(to, err));
    const spmv_head *a = &to->shape.head, *b = &from->head;
    if (a->rows != b->rows || a->cols != b->cols || a->nnz != b->nnz)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "the matrix on the GPU is %" PRId64 " x %" PRId64 " with %" PRId64
                          " entries, and its new values are for %" PRId64 " x %" PRId64
                          " with %" PRId64,
                          a->rows, a->cols, a->nnz, b->rows, b->cols, b->nnz);
    if (!is_alike(&to->shape, from))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the matrix on the GPU is %s of type %s, and its new values are %s of "
                          "type %s, or padded otherwise",
                          spmv_format_name(to->shape.format), spmv_type_name(a->type),
                          spmv_format_name(from->format), spmv_type_name(b->type));
    SPMV__TRY(spmv__check_arrays(from, err));
    const spmv__format *format = spmv__format_of(from->format);
    for (int i = 0; i < format->array_count; i++) {
        const spmv__array *array = &format->arrays[i];
        const int64_t bytes = array->count(from) * device_size(to, array);
        if (array->role == SPMV__VALUES)
            SPMV__TRY(spmv__gpu_upload(gpu, *spmv__array_pointer(&to->shape, array),
                                       spmv__array_data(from, array), bytes, err));
    }
done:
    return st;
}

void *spmv_gpu_matrix_values(spmv_gpu_matrix *A)
{
    if (A == NULL) return NULL;
    A->awaited = true;
    return A->shape.format == SPMV_CSR   ? A->shape.csr.val
           : A->shape.format == SPMV_CSC ? A->shape.csc.val
           : A->shape.format == SPMV_COO ? A->shape.coo.val
                                         : NULL;
}

void spmv_gpu_matrix_destroy(spmv_gpu_matrix *A)
{
    if (A == NULL) return;
    const spmv__format *format = spmv__format_of(A->shape.format);
    for (int i = 0; i < format->array_count && !A->borrowed; i++)
        spmv__gpu_free(*spmv__array_pointer(&A->shape, &format->arrays[i]));
    spmv__gpu_free(A->row_ptr_copy);
    spmv__gpu_free(A->col_idx_copy);
    free(A);
}
