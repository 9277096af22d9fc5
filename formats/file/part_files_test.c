/* part_files_test.c -- ranks read the rows that one process reads, and refuse what it refuses. */
#include "core/comm/team_test.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/binary/binary_image_test.h"
#include "formats/file/scratch_folder_test.h"
#include "formats/mtx/mtx.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

static const int sizes[] = {1, 2, 3, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

TestSuite(part_files, .init = open_folder, .fini = remove_folder);

/* A file, and what one process makes of it. */
typedef struct reading {
    const char *path;
    spmv_read_options options;
    spmv_status st;
    spmv_error err;
    spmv_matrix A; /* in CSR, where st is SUCCESS */
    bool shared;   /* all ranks can read it */
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
    const bool binary = spmv__binary_recognise(src.data, src.size);
    const spmv_status st =
        binary ? spmv__binary_read_part(&part, comm, &src, SPMV_PARTITION_NNZ)
               : spmv__mtx_read_part(&part, comm, &src, SPMV_PARTITION_NNZ, &r->options);
    spmv__source_close(&src);
    spmv_part_destroy(&part);
    return (st == SPMV_SUCCESS) == r->shared ? NULL : "all ranks read it, or only one does";
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

/* Every format has its file. */
Test(part_files, other_files_are_read_by_one_rank)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        reading r = read_alone(golden[f], &(spmv_read_options){0});
        cr_assert_eq(r.st, SPMV_SUCCESS);
        r.shared = f == SPMV_CSR;
        assert_read(&r, golden[f]);
    }
}

/* ---- Matrix Market -------------------------------------------------------------------------- */

/* Write the entries in another order: every step-th one, round and round. */
static void write_lines(const spmv_csr *A, int64_t step, const char *symmetry)
{
    FILE *file = fopen("A.mtx", "w");
    cr_assert_not_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s %s\n%lld %lld %lld\n",
            A->type == SPMV_PATTERN ? "pattern" : "real", symmetry, (long long)A->rows,
            (long long)A->cols, (long long)A->nnz);
    for (int64_t first = 0; first < step; first++)
        for (int64_t p = first, r = 0; p < A->nnz; p += step) {
            while (A->row_ptr[r + 1] <= p) r++;
            fprintf(file, "%lld %d", (long long)r + 1, A->col_idx[p] + 1);
            if (A->type != SPMV_PATTERN) fprintf(file, " %.17g", ((double *)A->val)[p]);
            fputc('\n', file);
        }
    fclose(file);
}

Test(part_files, lines_of_text_come_in_any_order)
{
    for (int type = SPMV_PATTERN; type <= SPMV_F64; type += SPMV_F64)
        for (int k = 0; k < TEST_CASES / 4; k++) {
            test_sample s = test_sample_make(k, (spmv_type)type, 0);
            write_lines(&s.A.csr, k % 3 == 0 ? 1 : 7 * k + 1, "general");
            reading r = read_alone("A.mtx", &(spmv_read_options){0});
            cr_assert_eq(r.st, SPMV_SUCCESS, "%s: %s", s.label, r.err.message);
            r.shared = true;
            assert_read(&r, s.label);
            spmv_destroy(&s.A);
        }
    unlink("A.mtx");
}

/* The lower triangle of a matrix; the images belong to other ranks. */
Test(part_files, images_find_their_rows)
{
    static const char *const symmetries[] = {"symmetric", "skew-symmetric"};
    enum { SIDE = 400 };
    for (int skew = 0; skew < 2; skew++) {
        spmv_csr A;
        int64_t q = 0;
        cr_assert_eq(spmv_csr_create(&A, SPMV_F64, SIDE, SIDE, SIDE * SIDE, NULL), SPMV_SUCCESS);
        for (int r = 0; r < SIDE; r++) {
            for (int c = r % 5; c < r + !skew; c += 1 + r / 2) {
                A.col_idx[q] = c;
                ((double *)A.val)[q++] = 1 + r + 0.5 * c;
            }
            A.row_ptr[r + 1] = q;
        }
        A.nnz = q;
        write_lines(&A, 11, symmetries[skew]);
        reading r = read_alone("A.mtx", &(spmv_read_options){0});
        cr_assert_eq(r.st, SPMV_SUCCESS, "%s", r.err.message);
        cr_assert_gt(r.A.head.nnz, q);
        r.shared = true;
        assert_read(&r, symmetries[skew]);
        spmv_csr_destroy(&A);
    }
    unlink("A.mtx");
}

/* Bodies that one process has to read: the words about them, or a sum, depend on all lines. */
Test(part_files, what_is_odd_in_a_text_is_read_by_one_rank)
{
    static const char *const bodies[] = {
        "4 4 4\n1 1 1\n2 2 2\n1 1 3\n3 3 4\n", /* an entry given twice, far apart */
        "4 4 4\n1 1 1\n2 2 2\n2 2 3\n3 3 4\n", /* and one after the other */
        "4 4 4\n1 1 1\n2 2 2\n% late\n3 3 3\n4 4 4\n", "4 4 4\n1 1 1\n2 2 2\n3 3 3\n", /* too few */
        "4 4 3\n1 1 1\n2 2 2\n3 3 3\n4 4 4\n", /* too many */
        "4 4 4\n1 1 1\n2 2 2\n3 3 3\n4 5 4\n", /* outside */
        "4 4 4\n1 1 1\n2 2 2\n3 3 x\n4 4 4\n",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        FILE *file = fopen("A.mtx", "w");
        cr_assert_not_null(file);
        fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%s", bodies[i]);
        fclose(file);
        reading r = read_alone("A.mtx", &(spmv_read_options){0});
        assert_read(&r, bodies[i]);
    }
    unlink("A.mtx");
}

/* ---- Other ways ----------------------------------------------------------------------------- */

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
    const int fd = open("damaged", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_eq(write(fd, im->data, (size_t)im->size), im->size);
    close(fd);
}

/* Damage every byte, once with checksums that tell and once with such that do not. */
static void damage_all(const char *path)
{
    const image whole = image_load(path);
    for (int64_t at = 0; at < whole.size; at++)
        for (int sealed = 0; sealed < 2; sealed++) {
            image im = image_head(&whole, whole.size);
            im.data[at] ^= 0x55;
            if (sealed && path == golden[SPMV_CSR]) {
                reseal_sections(im.data, im.size);
                reseal_header(im.data, im.size);
            }
            write_image(&im);
            reading r = read_alone("damaged", &(spmv_read_options){0});
            const char *complaint = team_run(3, read_part, &r);
            cr_assert_null(complaint, "byte %lld%s: %s", (long long)at, sealed ? ", sealed" : "",
                           complaint);
            if (r.st == SPMV_SUCCESS) spmv_destroy(&r.A);
            free(im.data);
        }
    free(whole.data);
    unlink("damaged");
}

Test(part_files, damage_is_told_as_one_process_tells_it)
{
    damage_all(golden[SPMV_CSR]);
    damage_all(SPMV_TESTDATA "/good/worked.mtx");
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* A matrix to write, and who calls its rows what. */
typedef struct writing {
    const spmv_matrix *A;
    const char *path;
    spmv_write_options options;
    int64_t at_once; /* not 0: lines of text so many at a time */
    spmv_status st;
    const char *phrase; /* what is said of a failure */
} writing;

static const char *write_part(spmv_comm *comm, void *user)
{
    const writing *w = user;
    const spmv_matrix *A = comm->rank == 0 ? w->A : NULL;
    spmv_write_options options = w->options;
    spmv_part part = {0};
    spmv_error err = {0};
    spmv_status st;
    if (comm->rank > 0) options.labels = NULL;
    if (spmv_part_spread(&part, comm, A, SPMV_PARTITION_NNZ, NULL) != SPMV_SUCCESS)
        return "not spread";
    st = w->at_once > 0 ? spmv__mtx_write_part(&part, comm, w->path, &options, w->at_once, &err)
                        : spmv_write_part(&part, comm, w->path, &options, &err);
    spmv_part_destroy(&part);
    if (st != w->st) return "another status";
    return st == SPMV_SUCCESS || strstr(err.message, w->phrase) != NULL ? NULL : "another sentence";
}

static bool same_bytes(const char *a, const char *b)
{
    image x = image_load(a), y = image_load(b);
    const bool same = x.size == y.size && memcmp(x.data, y.data, (size_t)x.size) == 0;
    free(x.data);
    free(y.data);
    return same;
}

/* Ranks write what one process writes; both names have the same suffix. */
static void assert_written(const spmv_matrix *A, const char *one, const char *many,
                           const spmv_labels *labels, int64_t at_once, const char *label)
{
    writing w = {.A = A, .path = many, .options = {.overwrite = true, .labels = labels}};
    w.at_once = at_once;
    cr_assert_eq(spmv_write(A, one, &w.options, NULL), SPMV_SUCCESS);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], write_part, &w);
        cr_assert_null(complaint, "%s, %s, %d ranks: %s", label, many, sizes[i], complaint);
        cr_assert(same_bytes(one, many), "%s, %s, %d ranks: other bytes", label, many, sizes[i]);
        unlink(many);
    }
    unlink(one);
}

Test(part_files, ranks_write_the_bytes_of_one_process)
{
    for (int type = 0; type < SPMV_TYPES; type++)
        for (int k = 0; k < TEST_CASES / 8; k++) {
            test_sample s = test_sample_make(k, (spmv_type)type, 0);
            assert_written(&s.A, "one.csr", "many.csr", NULL, 0, s.label);
            if (k % 4 == 0) assert_written(&s.A, "one.mtx", "many.mtx", NULL, 0, s.label);
            if (k % 4 == 1) assert_written(&s.A, "one.mtx", "many.mtx", NULL, 77, s.label);
            spmv_destroy(&s.A);
        }
}

/* Blocks of checksums that several ranks have some bytes of, and ranks that have several. */
Test(part_files, blocks_belong_to_some_ranks)
{
    enum { BLOCK = SPMV__BINARY_BLOCK / 8 };
    const int64_t entries[] = {BLOCK - 1, BLOCK, 3 * BLOCK, 7 * BLOCK, 10 * BLOCK + 5};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        for (int64_t step = 1; step < 200000; step = 70 * step + 3) {
            spmv_matrix A = {.format = SPMV_CSR};
            const int64_t n = entries[i], rows = (n + step - 1) / step;
            cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, rows, step, n, NULL), SPMV_SUCCESS);
            for (int64_t q = 0; q < n; q++) {
                A.csr.row_ptr[q / step + 1] = q + 1;
                A.csr.col_idx[q] = (int32_t)(q % step);
                ((double *)A.csr.val)[q] = 1.0 / (double)(q + 1);
            }
            assert_written(&A, "one.csr", "many.csr", NULL, 0, "blocks");
            spmv_destroy(&A);
        }
}

/* Labels, which rank 0 alone has, and files that only one process writes. */
Test(part_files, other_files_are_written_by_one_rank)
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t id[50];
    spmv_labels ids = {.n = 50, .id = id}, from_0 = {.n = 50};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 50, 50, 50, NULL), SPMV_SUCCESS);
    for (int r = 0; r < 50; r++) {
        A.csr.row_ptr[r + 1] = r + 1;
        A.csr.col_idx[r] = (7 * r + 1) % 50;
        ((double *)A.csr.val)[r] = 1.5 * r;
        id[r] = 3 * r + 2;
    }
    assert_written(&A, "one.csr", "many.csr", &ids, 0, "ids");
    assert_written(&A, "one.csr", "many.csr", &from_0, 0, "from 0");
    assert_written(&A, "one.el", "many.el", &ids, 0, "ids");
    assert_written(&A, "one.mtx.gz", "many.mtx.gz", NULL, 7, "packed");
    assert_written(&A, "one.csr.gz", "many.csr.gz", NULL, 0, "packed");
    spmv_destroy(&A);
}

Test(part_files, what_cannot_be_written)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 9, 9, 0, NULL), SPMV_SUCCESS);
    const writing cases[] = {
        {&A, "there.csr", {0}, 0, SPMV_ERROR_FILE_IO, "exists"},
        {&A, "there.mtx", {0}, 0, SPMV_ERROR_FILE_IO, "exists"},
        {&A, "nowhere/C.csr", {0}, 0, SPMV_ERROR_FILE_IO, "No such file"},
        {&A, "/dev/full", {0}, 0, SPMV_ERROR_FILE_IO, "No space left"},
        {&A, "/dev/full", {.file_format = "binary"}, 0, SPMV_ERROR_FILE_IO, "No space left"},
        {&A, "C", {.file_format = "none"}, 0, SPMV_ERROR_INVALID_ARGUMENT, "none"},
    };
    fclose(fopen("there.csr", "w"));
    fclose(fopen("there.mtx", "w"));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int i = 0; i < SIZES; i++) {
            writing w = cases[c];
            const char *complaint = team_run(sizes[i], write_part, &w);
            cr_assert_null(complaint, "case %d, %d ranks: %s", (int)c, sizes[i], complaint);
        }
    unlink("there.csr");
    unlink("there.mtx");
    spmv_destroy(&A);
}

/* Nothing is left of a file that no process may make so long. */
Test(part_files, a_file_that_becomes_too_large)
{
    const struct rlimit least = {1 << 14, 1 << 14};
    test_sample s = test_sample_make(1, SPMV_F64, 0);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &least), 0);
    for (int text = 0; text < 2; text++)
        for (int i = 0; i < SIZES; i++) {
            writing w = {.A = &s.A, .path = text ? "C.mtx" : "C.csr"};
            w.st = SPMV_ERROR_FILE_IO;
            w.phrase = "File too large";
            const char *complaint = team_run(sizes[i], write_part, &w);
            cr_assert_null(complaint, "%s, %d ranks: %s", w.path, sizes[i], complaint);
            cr_assert_neq(access(w.path, F_OK), 0);
        }
    spmv_destroy(&s.A);
}

/* ---- Labels --------------------------------------------------------------------------------- */

static const char *read_names(spmv_comm *comm, void *user)
{
    const spmv_labels *expected = user;
    spmv_part part = {0};
    spmv_file_info info = {0};
    const char *complaint = NULL;
    if (spmv_read_part(&part, comm, "A.csr", SPMV_PARTITION_NNZ, NULL, &info, NULL) != SPMV_SUCCESS)
        return "not read";
    if (comm->rank == 0 && !spmv_labels_equal(&info.labels, expected)) complaint = "other labels";
    if (comm->rank > 0 && info.labels.id != NULL) complaint = "labels of another rank";
    spmv_labels_destroy(&info.labels);
    spmv_part_destroy(&part);
    return complaint;
}

Test(part_files, rank_0_has_the_labels)
{
    int64_t id[] = {2, 5, 11};
    spmv_labels labels = {.n = 3, .first = 1, .id = id};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 3, 3, 0, NULL), SPMV_SUCCESS);
    const spmv_write_options options = {.labels = &labels};
    cr_assert_eq(spmv_write(&A, "A.csr", &options, NULL), SPMV_SUCCESS);
    for (int i = 0; i < SIZES; i++) cr_assert_null(team_run(sizes[i], read_names, &labels));
    unlink("A.csr");
    spmv_destroy(&A);
}
