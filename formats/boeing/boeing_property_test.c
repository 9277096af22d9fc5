/* boeing_property_test.c -- random matrices come back from Rutherford-Boeing files bit for bit,
 * every line of which has the columns that the header says, and lack of memory at any moment is
 * reported and leaves nothing behind. */
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/stream/failing_test.h"

#include <criterion/criterion.h>
#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-boeing-%ld.rb", (long)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(boeing_property, .init = name_file, .fini = remove_file);

static void assert_round_trip(const spmv_matrix *A, const char *label)
{
    const spmv_write_options write = {.overwrite = true};
    const spmv_read_options read = {.keep_symmetry = true, .strict = true};
    spmv_error err;
    spmv_matrix B, C, given = test_csr_of(A, A->head.type);
    spmv_file_info info;
    cr_assert_eq(spmv_write(A, path, &write, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_eq(spmv_read(&B, path, &read, &info, &err), SPMV_SUCCESS, "%s: %lld:%lld %s", label,
                 (long long)err.line, (long long)err.column, err.message);
    cr_assert_str_eq(info.file_format, "rb");
    cr_assert_eq(B.head.type,
                 A->head.type == SPMV_PATTERN ? SPMV_PATTERN : spmv__double_type(A->head.type));
    C = test_csr_of(&B, A->head.type);
    cr_assert(spmv_identical(&given, &C), "%s", label);
    spmv_destroy(&given);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

Test(boeing_property, general_round_trip)
{
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++)
        for (int k = 0; k < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, type, 20000);
            assert_round_trip(&s.A, s.label);
            spmv_destroy(&s.A);
        }
}

/* The lower triangle of a sample, as one that stands for all of a matrix. */
static bool take_triangle(spmv_coo *out, const spmv_matrix *A, spmv_symmetry symmetry)
{
    spmv_matrix B;
    int64_t n = 0;
    if (A->head.rows != A->head.cols) return false;
    cr_assert_eq(spmv_convert(&B, A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < B.coo.nnz; p++) {
        const int64_t r = B.coo.row_idx[p], c = B.coo.col_idx[p];
        spmv_scalar value = spmv__scalar(B.coo.type, B.coo.val, p);
        if (r < c || (r == c && symmetry == SPMV_SKEW)) continue;
        if (r == c && symmetry == SPMV_HERMITIAN) value.im = 0;
        B.coo.row_idx[n] = r;
        B.coo.col_idx[n] = c;
        spmv__set_scalar(B.coo.type, B.coo.val, n++, value);
    }
    B.coo.nnz = n;
    B.coo.symmetry = symmetry;
    *out = B.coo;
    return true;
}

static int assert_triangles(spmv_type type, spmv_symmetry symmetry)
{
    int square = 0;
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, type, 20000);
        spmv_matrix A = {.format = SPMV_COO};
        if (take_triangle(&A.coo, &s.A, symmetry)) {
            assert_round_trip(&A, s.label);
            spmv_destroy(&A);
            square++;
        }
        spmv_destroy(&s.A);
    }
    return square;
}

Test(boeing_property, triangles_round_trip)
{
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++) {
        cr_assert_gt(assert_triangles(type, SPMV_SYMMETRIC), 0);
        if (type != SPMV_PATTERN) cr_assert_gt(assert_triangles(type, SPMV_SKEW), 0);
        if (spmv_type_is_complex(type)) cr_assert_gt(assert_triangles(type, SPMV_HERMITIAN), 0);
    }
}

/* ---- The writer, read in another way -------------------------------------------------------- */

/* Numbers in columns, as the header says: `next` takes the next one as text. */
typedef struct fields {
    FILE *file;
    int per_line, width;
    int64_t taken;
    char line[128];
} fields;

static const char *next(fields *from)
{
    static char field[64];
    const int place = (int)(from->taken++ % from->per_line);
    if (place == 0) cr_assert_not_null(fgets(from->line, sizeof from->line, from->file));
    cr_assert_leq(strlen(from->line), 81, "a line of %zu bytes", strlen(from->line));
    cr_assert_geq(strlen(from->line), (size_t)((place + 1) * from->width));
    snprintf(field, sizeof field, "%.*s", from->width, from->line + place * from->width);
    cr_assert_eq(field[0], ' ');
    return field;
}

static fields begin_fields(FILE *file, const char *format, const char *pattern)
{
    fields from = {.file = file};
    cr_assert_eq(sscanf(format, pattern, &from.per_line, &from.width), 2, "%s", format);
    return from;
}

/* Random bits that are numbers, and those at the ends of the range. */
static double any_number(uint64_t k)
{
    static const double ends[] = {0.0, -0.0, 1, -17, 0x1p-1074, -0x1.fffffffffffffp1023, 1e22, 0.1};
    uint64_t bits = spmv__mix(k);
    double value;
    if (k < sizeof ends / sizeof ends[0]) return ends[k];
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.5;
}

Test(boeing_property, columns_are_those_of_the_header)
{
    enum { N = 777 };
    char lines[4][128];
    long long total, parts[3], sizes[4];
    spmv_matrix A = {.format = SPMV_CSC};
    cr_assert_eq(spmv_csc_create(&A.csc, SPMV_F64, 2 * N, N, N, NULL), SPMV_SUCCESS);
    for (int32_t c = 0; c < N; c++) {
        A.csc.col_ptr[c + 1] = c + 1;
        A.csc.row_idx[c] = 2 * c;
        ((double *)A.csc.val)[c] = any_number((uint64_t)c);
    }
    cr_assert_eq(spmv_write(&A, path, &(spmv_write_options){.overwrite = true}, NULL),
                 SPMV_SUCCESS);
    FILE *f = fopen(path, "r");
    for (int i = 0; i < 4; i++) cr_assert_not_null(fgets(lines[i], sizeof lines[i], f));
    cr_assert_eq(strlen(lines[0]), 81);
    cr_assert_eq(
        sscanf(lines[1], "%14lld %13lld %13lld %13lld", &total, parts, parts + 1, parts + 2), 4);
    cr_assert_eq(total, parts[0] + parts[1] + parts[2]);
    cr_assert_eq(sscanf(lines[2], "rra            %13lld %13lld %13lld %13lld", sizes, sizes + 1,
                        sizes + 2, sizes + 3),
                 4);
    cr_assert(sizes[0] == 2 * N && sizes[1] == N && sizes[2] == N && sizes[3] == 0);

    fields pointers = begin_fields(f, lines[3], "(%dI%d)");
    for (int c = 0; c <= N; c++) cr_assert_eq(atoi(next(&pointers)), c + 1);
    fields rows = begin_fields(f, lines[3] + 16, "(%dI%d)");
    for (int c = 0; c < N; c++) cr_assert_eq(atoi(next(&rows)), 2 * c + 1);
    fields values = begin_fields(f, lines[3] + 32, "(%dE%d.");
    for (int c = 0; c < N; c++) {
        const char *field = next(&values);
        cr_assert_not_null(strchr(field, '.'), "'%s'", field);
        cr_assert(same_value(strtod(field, NULL), any_number((uint64_t)c)), "'%s'", field);
    }
    cr_assert_eq(fgetc(f), EOF);
    cr_assert_eq(parts[0], (N + pointers.per_line) / pointers.per_line);
    cr_assert_eq(parts[1], (N + rows.per_line - 1) / rows.per_line);
    cr_assert_eq(parts[2], (N + values.per_line - 1) / values.per_line);
    fclose(f);
    spmv_destroy(&A);
}

Test(boeing_property, a_skew_pattern_is_refused)
{
    spmv_matrix A = {.format = SPMV_COO};
    spmv_error err;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_PATTERN, 2, 2, 0, NULL), SPMV_SUCCESS);
    A.coo.symmetry = SPMV_SKEW;
    cr_assert_eq(spmv_write(&A, path, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_eq(access(path, F_OK), -1);
    spmv_destroy(&A);
}

/* ---- Lack of memory ------------------------------------------------------------------------- */

static spmv_status read_file(const char *file, spmv_error *err)
{
    static const spmv_matrix empty;
    spmv_matrix A;
    const spmv_status st = spmv_read(&A, file, NULL, NULL, err);
    if (st != SPMV_SUCCESS) cr_assert_arr_eq(&A, &empty, sizeof A);
    spmv_destroy(&A);
    return st;
}

static spmv_status write_file(const char *file, spmv_error *err)
{
    static const double dense[] = {1, 0, 2, 3};
    spmv_matrix A;
    spmv_status st = spmv_from_dense(&A, SPMV_ELL, SPMV_F64, 2, 2, dense, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_write(&A, file, NULL, err);
    cr_assert_eq(access(file, F_OK) == 0, st == SPMV_SUCCESS);
    unlink(file);
    spmv_destroy(&A);
    return st;
}

Test(boeing_property, every_allocation_may_fail)
{
    cr_assert_gt(fail_each(read_file, SPMV_TESTDATA "/boeing/with_vectors.rsa"), 4);
    cr_assert_gt(fail_each(read_file, SPMV_TESTDATA "/boeing/unsorted.rb"), 4);
    cr_assert_gt(fail_each(write_file, path), 4);
}
