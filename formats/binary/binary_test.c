/* binary_test.c -- matrices to binary files and back: the same bytes every time, used in place. */
#include "core/base/random.h"
#include "formats/binary/binary_image_test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* A name for a file of this test, which runs in a process of its own. */
static const char *scratch(void)
{
    static char name[64];
    snprintf(name, sizeof name, "/tmp/spmv-binary-%ld", (long)getpid());
    return name;
}

static void assert_same_bytes(const image *a, const image *b, const char *what)
{
    cr_assert_eq(a->size, b->size, "%s", what);
    for (int64_t i = 0; i < a->size; i++)
        cr_assert_eq(a->data[i], b->data[i], "%s: byte %" PRId64, what, i);
}

static image written(const spmv_matrix *A)
{
    spmv_error err;
    const spmv_write_options options = {.overwrite = true};
    cr_assert_eq(spmv_write_binary(A, scratch(), &options, &err), SPMV_SUCCESS, "%s", err.message);
    image im = image_load(scratch());
    unlink(scratch());
    return im;
}

/* ---- The worked example --------------------------------------------------------------------- */

/* [1 0 2 0; 0 3 4 0; 0 0 0 5] in every format, written down by hand; ELL in single precision. */
static int64_t row_ptr[] = {0, 2, 4, 5}, col_ptr[] = {0, 1, 2, 4, 5}, diag_ptr[] = {0, 3, 5};
static int64_t coo_row[] = {0, 0, 1, 1, 2}, coo_col[] = {0, 2, 1, 2, 3};
static int64_t hyb_row[] = {0, 1}, hyb_col[] = {2, 2};
static int32_t csr_col[] = {0, 2, 1, 2, 3}, csc_row[] = {0, 1, 0, 1, 2}, perm[] = {0, 1, 2};
static int32_t ell_col[] = {0, 1, 3, 2, 2, -1};
static double by_row[] = {1, 2, 3, 4, 5}, by_column[] = {1, 3, 2, 4, 5};
static double by_diagonal[] = {1, 3, 5, 2, 4}, overflow[] = {2, 4};
static float padded[] = {1, 3, 5, 2, 4, 0};
static int64_t slice_ptr[] = {0, 4, 6};
static int32_t sell_col[] = {0, 1, 2, 2, 3, -1};
static double by_slice[] = {1, 3, 2, 4, 5, 0};
/* One slice of 32 rows and the diagonals 0, 1 and 2, of which the rows have 0 and 2, 0 and 1, 1. */
static int32_t encoding[] = {SPMV_CSELL_DIAGONAL_MASKED};
static int32_t code[16] = {0, 1, 2, [8] = 5 | 3 << 8 | 2 << 16};
static int64_t code_ptr[] = {0, 16}, step_ptr[] = {0, 96};
static double by_step[96] = {[0] = 1, 3, [32 + 1] = 4, 5, [64] = 2};

/* Three blocks of 2 x 2, of which the last one is cut off below. */
static int64_t group_ptr[] = {0, 2, 3};
static int32_t block_col[] = {0, 1, 1}, mask[] = {1 | 8, 1 | 2, 4};
static double by_block[] = {1, 0, 0, 3, 2, 4, 0, 0, 0, 0, 5, 0};

static const struct {
    int64_t params[4];
    void *arrays[6];
} parts[SPMV_FORMATS] = {
    [SPMV_COO] = {{0}, {coo_row, coo_col, by_row}},
    [SPMV_CSR] = {{0}, {row_ptr, csr_col, by_row}},
    [SPMV_CSC] = {{0}, {col_ptr, csc_row, by_column}},
    [SPMV_ELL] = {{2}, {ell_col, padded}},
    [SPMV_HYB] = {{1, 2}, {ell_col, by_diagonal, hyb_row, hyb_col, overflow}},
    [SPMV_JDS] = {{2}, {perm, diag_ptr, ell_col, by_diagonal}},
    [SPMV_SELL] = {{2, 4, 6}, {perm, slice_ptr, sell_col, by_slice}},
    [SPMV_CSELL] = {{32, 1, 96, 16}, {NULL, encoding, code_ptr, code, step_ptr, by_step}},
    [SPMV_BSR] = {{2, 3}, {group_ptr, block_col, mask, by_block}},
};

static spmv_matrix worked(spmv_format id)
{
    const spmv__format *format = spmv__format_of(id);
    spmv_type type = id == SPMV_ELL ? SPMV_F32 : SPMV_F64;
    spmv_matrix A = spmv__blank(id, type, SPMV_GENERAL, 3, 4, 5);
    for (int i = 0; i < format->param_count; i++)
        memcpy((char *)&A + format->params[i], &parts[id].params[i], sizeof(int64_t));
    if (format->adopt != NULL) format->adopt(&A);
    for (int i = 0; i < format->array_count; i++)
        *spmv__array_pointer(&A, &format->arrays[i]) = parts[id].arrays[i];
    return A;
}

/* The files are part of the repository: the layout cannot change unnoticed. */
Test(binary, golden_files_are_written_byte_for_byte)
{
    for (spmv_format f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A = worked(f);
        image expected = image_load(golden[f]), found = written(&A);
        assert_same_bytes(&found, &expected, golden[f]);
        free(expected.data);
        free(found.data);
    }
}

Test(binary, golden_files_are_read)
{
    for (spmv_format f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A = worked(f), B;
        spmv_file_info info;
        spmv_error err;
        cr_assert_eq(spmv_read(&B, golden[f], NULL, &info, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(spmv_identical(&A, &B), "%s", golden[f]);
        cr_assert_str_eq(info.file_format, "binary");
        cr_assert_eq(info.entries, 5);
        cr_assert_eq(info.symmetry, SPMV_GENERAL);
        spmv_destroy(&B);
    }
}

/* ---- In place ------------------------------------------------------------------------------- */

/* Is this address in memory that is mapped from the file? */
static bool mapped_from(const void *address, const char *path)
{
    char line[4096];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    cr_assert_not_null(maps);
    while (!found && fgets(line, sizeof line, maps) != NULL) {
        char *end;
        uintptr_t from = strtoul(line, &end, 16), to = strtoul(end + 1, NULL, 16);
        found = (uintptr_t)address >= from && (uintptr_t)address < to && strstr(line, path) != NULL;
    }
    fclose(maps);
    return found;
}

Test(binary, arrays_are_used_in_the_mapped_file)
{
    spmv_matrix A = worked(SPMV_CSR), B;
    const spmv_write_options options = {.overwrite = true};
    cr_assert_eq(spmv_write_binary(&A, scratch(), &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_read(&B, scratch(), NULL, NULL, NULL), SPMV_SUCCESS);
    cr_assert(mapped_from(B.csr.row_ptr, scratch()));
    cr_assert(mapped_from(B.csr.col_idx, scratch()));
    cr_assert(mapped_from(B.csr.val, scratch()));
    cr_assert_eq((uintptr_t)B.csr.val % 64, 0);
    const void *val = B.csr.val;
    spmv_destroy(&B);
    cr_assert_not(mapped_from(val, scratch()), "still mapped");
    unlink(scratch());
}

Test(binary, from_a_pipe_and_to_standard_output)
{
    int ends[2], file = open(scratch(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    spmv_matrix A = worked(SPMV_HYB), B;
    image expected = image_load(golden[SPMV_HYB]);
    spmv_error err;

    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], expected.data, (size_t)expected.size), expected.size);
    close(ends[1]);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    cr_assert_eq(spmv_read(&B, "-", NULL, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(spmv_identical(&A, &B));

    int screen = dup(STDOUT_FILENO);
    cr_assert_eq(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
    spmv_status st = spmv_write_binary(&B, "-", NULL, &err);
    dup2(screen, STDOUT_FILENO);
    cr_assert_eq(st, SPMV_SUCCESS, "%s", err.message);
    image found = image_load(scratch());
    assert_same_bytes(&found, &expected, "standard output");
    unlink(scratch());
    spmv_destroy(&B);
    free(expected.data);
    free(found.data);
}

/* ---- Threads -------------------------------------------------------------------------------- */

Test(binary, every_number_of_threads_writes_the_same_bytes)
{
#ifdef _OPENMP
    const int64_t n = 2500000; /* values in more blocks than one thread sums up alone */
    spmv_matrix A = spmv__blank(SPMV_CSR, SPMV_F64, SPMV_GENERAL, 1, n, n);
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 1, n, n, NULL), SPMV_SUCCESS);
    A.csr.row_ptr[1] = n;
    for (int64_t p = 0; p < n; p++) {
        A.csr.col_idx[p] = (int32_t)p;
        ((double *)A.csr.val)[p] = spmv__uniform(1, (uint64_t)p);
    }
    omp_set_num_threads(1);
    image expected = written(&A);
    for (int threads = 2; threads <= 7; threads += 5) {
        omp_set_num_threads(threads);
        image found = written(&A);
        cr_assert_eq(found.size, expected.size);
        cr_assert_eq(memcmp(found.data, expected.data, (size_t)found.size), 0, "%d", threads);
        free(found.data);
    }
    free(expected.data);
    spmv_destroy(&A);
#else
    cr_skip_test("without OpenMP there is one thread");
#endif
}

/* ---- Options, symmetry, misuse -------------------------------------------------------------- */

/* [. 7; 7 0] as its lower triangle. */
static spmv_matrix symmetric_example(void)
{
    static int64_t ptr[] = {0, 0, 2};
    static int32_t col[] = {0, 1};
    static double entries[] = {7, 0};
    spmv_matrix A = spmv__blank(SPMV_CSR, SPMV_F64, SPMV_SYMMETRIC, 2, 2, 2);
    A.csr.row_ptr = ptr;
    A.csr.col_idx = col;
    A.csr.val = entries;
    return A;
}

Test(binary, symmetry_is_stored_and_expanded_unless_kept)
{
    const spmv_read_options keep = {.keep_symmetry = true}, drop = {.drop_zeros = true};
    const spmv_write_options overwrite = {.overwrite = true};
    double dense[4];
    spmv_matrix A = symmetric_example(), B;
    spmv_file_info info;

    cr_assert_eq(spmv_write_binary(&A, scratch(), &overwrite, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_read(&B, scratch(), &keep, NULL, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &B));
    spmv_destroy(&B);
    cr_assert_eq(spmv_read(&B, scratch(), NULL, &info, NULL), SPMV_SUCCESS);
    cr_assert_eq(B.head.symmetry, SPMV_GENERAL);
    cr_assert_eq(B.head.nnz, 3);
    cr_assert_eq(info.entries, 2);
    cr_assert_eq(info.symmetry, SPMV_SYMMETRIC);
    spmv_destroy(&B);
    cr_assert_eq(spmv_read(&B, scratch(), &drop, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(B.head.nnz, 2);
    spmv_to_dense(&B, dense);
    cr_assert(dense[0] == 0 && dense[1] == 7 && dense[2] == 7 && dense[3] == 0);
    spmv_destroy(&B);
    unlink(scratch());
}

/* [2 .; 1+3i .] as the lower triangle of a hermitian matrix. */
Test(binary, complex_values_lie_as_in_memory)
{
    const spmv_read_options keep = {.keep_symmetry = true, .complex_values = SPMV_COMPLEX_IMAG};
    static int64_t ptr[] = {0, 1, 2};
    static int32_t col[] = {0, 0};
    static double entries[] = {2, 0, 1, 3};
    spmv_matrix A = spmv__blank(SPMV_CSR, SPMV_C128, SPMV_HERMITIAN, 2, 2, 2), B;
    A.csr.row_ptr = ptr;
    A.csr.col_idx = col;
    A.csr.val = entries;
    image im = written(&A);
    const char *header = (const char *)im.data, *row = header + 192 + 2 * 64;
    cr_assert_str_eq(header + 64, "c128");
    cr_assert_str_eq(header + 80, "hermitian");
    cr_assert_str_eq(row, "val");
    cr_assert_str_eq(row + 16, "c128");
    cr_assert_arr_eq(im.data + image_get(&im, 192 + 2 * 64 + 32, 8), entries, sizeof entries);
    free(im.data);

    double dense[8];
    cr_assert_eq(spmv_write_binary(&A, scratch(), NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_read(&B, scratch(), NULL, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(B.head.symmetry, SPMV_GENERAL);
    spmv_to_dense(&B, dense);
    cr_assert_arr_eq(dense, ((double[]){2, 0, 1, -3, 1, 3, 0, 0}), sizeof dense);
    spmv_destroy(&B);
    cr_assert_eq(spmv_read(&B, scratch(), &keep, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(B.head.symmetry, SPMV_SKEW);
    cr_assert_eq(B.head.nnz, 1);
    spmv_to_dense(&B, dense);
    cr_assert_arr_eq(dense, ((double[]){0, -3, 3, 0}), 4 * sizeof *dense);
    spmv_destroy(&B);
    entries[1] = 1;
    unlink(scratch());
    cr_assert_eq(spmv_write_binary(&A, scratch(), NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_read(&B, scratch(), NULL, NULL, NULL), SPMV_ERROR_INVALID_FORMAT,
                 "a diagonal that is not real");
    unlink(scratch());
}

Test(binary, typed_functions)
{
    spmv_matrix A = symmetric_example(), W = worked(SPMV_ELL);
    spmv_csr B;
    spmv_ell E;
    spmv_error err;

    cr_assert_eq(spmv_csr_serialize(&A.csr, scratch(), &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_csr_serialize(&A.csr, scratch(), &err), SPMV_ERROR_FILE_IO);
    cr_assert_eq(spmv_csr_deserialize(&B, scratch(), &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(B.symmetry, SPMV_SYMMETRIC);
    cr_assert_eq(B.nnz, 2);
    spmv_csr_destroy(&B);
    cr_assert_eq(spmv_ell_deserialize(&E, scratch(), &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, "the file holds a csr matrix, expected ell");
    cr_assert_str_eq(err.file, scratch());
    cr_assert_null(E.col_idx);
    unlink(scratch());

    cr_assert_eq(spmv_ell_deserialize(&E, scratch(), &err), SPMV_ERROR_FILE_IO);
    cr_assert_eq(spmv_ell_serialize(&W.ell, scratch(), &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_ell_deserialize(&E, scratch(), NULL), SPMV_SUCCESS);
    cr_assert_eq(E.width, 2);
    spmv_ell_destroy(&E);
    unlink(scratch());
}

Test(binary, what_is_no_matrix_is_not_written)
{
    spmv_error err;
    spmv_matrix A = worked(SPMV_CSR);
    cr_assert_eq(spmv_csr_serialize(NULL, scratch(), &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_csr_deserialize(NULL, scratch(), &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_write_binary(NULL, scratch(), NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_write_binary(&A, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    A.csr.col_idx = NULL;
    cr_assert_eq(spmv_write_binary(&A, scratch(), NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "the csr matrix to write has no valid array col_idx");
    A = worked(SPMV_ELL);
    A.ell.width = INT64_MAX;
    cr_assert_eq(spmv_write_binary(&A, scratch(), NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    A.ell.rows = -1;
    cr_assert_eq(spmv_write_binary(&A, scratch(), NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_neq(access(scratch(), F_OK), 0);
}

/* What the reader would refuse is not written. */
Test(binary, sizes_beyond_the_limit_are_not_written)
{
    const int64_t limit = INT64_C(1) << 62;
    spmv_error err;
    spmv_coo A;
    spmv_matrix B;
    cr_assert_eq(spmv_coo_create(&A, SPMV_PATTERN, limit, limit, 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_coo_serialize(&A, scratch(), &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_read(&B, scratch(), NULL, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(B.head.rows, limit);
    spmv_destroy(&B);
    unlink(scratch());
    A.rows++;
    cr_assert_eq(spmv_coo_serialize(&A, scratch(), &err), SPMV_ERROR_UNSUPPORTED);
    A.rows--;
    A.cols++;
    cr_assert_eq(spmv_coo_serialize(&A, scratch(), &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_neq(access(scratch(), F_OK), 0);
    spmv_coo_destroy(&A);
}

Test(binary, names_without_an_end_can_be_printed)
{
    spmv__binary_name name;
    memset(&name, 'x', sizeof name);
    name.text[3] = '\n';
    cr_assert_str_eq(spmv__binary_printable(&name).text, "xxx?xxxxxxxxxxx");
    cr_assert_not(spmv__binary_name_is(&name, "xxx"));
}
