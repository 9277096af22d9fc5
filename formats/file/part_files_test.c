/* part_files_test.c -- ranks read the rows that one process reads, and refuse what it refuses. */
#include "core/comm/team_test.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/binary/binary_image_test.h"

#include <fcntl.h>
#include <unistd.h>

static const int sizes[] = {1, 2, 3, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

static char folder[] = "/tmp/spmv-parts-XXXXXX";

static void open_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static void remove_folder(void)
{
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(rmdir(folder), 0, "files are left in %s", folder);
}

TestSuite(part_files, .init = open_folder, .fini = remove_folder);

/* A file, and what one process makes of it. */
typedef struct reading {
    const char *path;
    spmv_read_options options;
    spmv_status st;
    spmv_error err;
    spmv_matrix A; /* in CSR, where st is SUCCESS */
    bool shared;   /* each rank can take its rows */
} reading;

static reading read_alone(const char *path, const spmv_read_options *options)
{
    reading r = {.path = path, .options = *options};
    spmv_matrix A;
    r.st = spmv_read(&A, path, options, NULL, &r.err);
    if (r.st != SPMV_SUCCESS) return r;
    cr_assert_eq(spmv_convert(&r.A, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    spmv_destroy(&A);
    return r;
}

/* Are these the rows of A that the part says it has? */
static bool has_its_rows(const spmv_part *part, int rank, const spmv_csr *A)
{
    const int64_t begin = part->row_begin[rank], end = part->row_begin[rank + 1];
    const spmv_csr *own = &part->own;
    const int64_t first = A->row_ptr[begin], nnz = A->row_ptr[end] - first;
    const size_t value = spmv_type_size(A->type);
    if (part->rows != A->rows || part->cols != A->cols || part->nnz != A->nnz) return false;
    if (own->rows != end - begin || own->nnz != nnz || part->first_entry != first) return false;
    if (own->type != A->type || own->cols != A->cols) return false;
    for (int64_t r = 0; r <= own->rows; r++)
        if (own->row_ptr[r] != A->row_ptr[begin + r] - first) return false;
    if (nnz == 0) return true;
    return memcmp(own->col_idx, A->col_idx + first, (size_t)nnz * sizeof *own->col_idx) == 0 &&
           (value == 0 || memcmp(own->val, (const char *)A->val + (size_t)first * value,
                                 (size_t)nnz * value) == 0);
}

static const char *read_part(spmv_comm *comm, void *user)
{
    const reading *r = user;
    spmv_part part = {0};
    spmv_error err = {0};
    const char *complaint = NULL;
    const spmv_status st =
        spmv_read_part(&part, comm, r->path, SPMV_PARTITION_NNZ, &r->options, NULL, &err);
    if (st != r->st)
        complaint = "another status";
    else if (st != SPMV_SUCCESS && memcmp(&err, &r->err, sizeof err) != 0)
        complaint = "another error";
    else if (st == SPMV_SUCCESS && !has_its_rows(&part, comm->rank, &r->A.csr))
        complaint = "other rows";
    spmv_part_destroy(&part);
    return complaint;
}

static const char *take_shares(spmv_comm *comm, void *user)
{
    const reading *r = user;
    spmv__source src;
    spmv_part part = {0};
    if (spmv__source_open(&src, r->path, NULL, NULL) != SPMV_SUCCESS) return "no such file";
    const spmv_status st = spmv__binary_read_part(&part, comm, &src, SPMV_PARTITION_NNZ);
    spmv__source_close(&src);
    spmv_part_destroy(&part);
    return (st == SPMV_SUCCESS) == r->shared ? NULL : "rows are taken where they must not, or not";
}

static void assert_read(reading *r, const char *label)
{
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], read_part, r);
        cr_assert_null(complaint, "%s, %d ranks: %s", label, sizes[i], complaint);
        complaint = team_run(sizes[i], take_shares, r);
        cr_assert_null(complaint, "%s, %d ranks: %s", label, sizes[i], complaint);
    }
    if (r->st == SPMV_SUCCESS) spmv_destroy(&r->A);
}

Test(part_files, rows_come_from_binary_files_of_all_types)
{
    const spmv_write_options replace = {.overwrite = true};
    for (int type = 0; type < SPMV_TYPES; type++)
        for (int k = 0; k < TEST_CASES / 4; k++) {
            test_sample s = test_sample_make(k, (spmv_type)type, 0);
            cr_assert_eq(spmv_write_binary(&s.A, "A.csr", &replace, NULL), SPMV_SUCCESS);
            reading r = read_alone("A.csr", &(spmv_read_options){0});
            r.shared = true;
            assert_read(&r, s.label);
            spmv_destroy(&s.A);
        }
    unlink("A.csr");
}

/* Every format has its file, and a text one, too. */
Test(part_files, other_files_are_read_by_one_rank)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        reading r = read_alone(golden[f], &(spmv_read_options){0});
        cr_assert_eq(r.st, SPMV_SUCCESS);
        r.shared = f == SPMV_CSR;
        assert_read(&r, golden[f]);
    }
    reading r = read_alone(SPMV_TESTDATA "/good/symmetric.mtx", &(spmv_read_options){0});
    cr_assert_eq(r.st, SPMV_SUCCESS);
    assert_read(&r, "symmetric.mtx");
}

Test(part_files, options_that_change_the_matrix_are_heeded)
{
    const spmv_read_options drop = {.drop_zeros = true};
    spmv_csr A;
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, 4, 4, 4, NULL), SPMV_SUCCESS);
    for (int r = 0; r < 4; r++) {
        A.row_ptr[r + 1] = r + 1;
        A.col_idx[r] = r;
        ((double *)A.val)[r] = r % 2;
    }
    const spmv_matrix M = {.csr = A, .format = SPMV_CSR};
    cr_assert_eq(spmv_write_binary(&M, "zeros.csr", NULL, NULL), SPMV_SUCCESS);
    reading r = read_alone("zeros.csr", &drop);
    cr_assert_eq(r.A.head.nnz, 2);
    r.shared = true; /* where nobody asks */
    assert_read(&r, "zeros.csr");
    spmv_csr_destroy(&A);
    unlink("zeros.csr");
}

Test(part_files, a_file_that_is_not_there)
{
    reading r = read_alone("nowhere.csr", &(spmv_read_options){0});
    cr_assert_eq(r.st, SPMV_ERROR_FILE_IO);
    for (int i = 0; i < SIZES; i++) cr_assert_null(team_run(sizes[i], read_part, &r));
}

static void write_image(const image *im)
{
    const int fd = open("damaged.csr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_eq(write(fd, im->data, (size_t)im->size), im->size);
    close(fd);
}

/* Damage every byte, once with checksums that tell and once with such that do not. */
Test(part_files, damage_is_told_as_one_process_tells_it)
{
    const image whole = image_load(golden[SPMV_CSR]);
    for (int64_t at = 0; at < whole.size; at++)
        for (int sealed = 0; sealed < 2; sealed++) {
            image im = image_head(&whole, whole.size);
            im.data[at] ^= 0x55;
            if (sealed) {
                reseal_sections(im.data, im.size);
                reseal_header(im.data, im.size);
            }
            write_image(&im);
            reading r = read_alone("damaged.csr", &(spmv_read_options){0});
            const char *complaint = team_run(3, read_part, &r);
            cr_assert_null(complaint, "byte %lld%s: %s", (long long)at, sealed ? ", sealed" : "",
                           complaint);
            if (r.st == SPMV_SUCCESS) spmv_destroy(&r.A);
            free(im.data);
        }
    free(whole.data);
    unlink("damaged.csr");
}
