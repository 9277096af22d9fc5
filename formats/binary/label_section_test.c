/* label_section_test.c -- labels in binary files: they come back as they were, and what is damaged
 * is told. */
#include "formats/binary/binary_image_test.h"
#include "formats/common/file_format.h"

#include <unistd.h>

static char path[64];

/* Files begin with a header of 192 bytes and a row of 64 for each section; labels come last. */
enum { HEADER = 192, ROW = 64, SECTIONS = 24, OFFSET = 32, SIZE = 40, ROWS = 96, COLS = 104 };

static spmv_status write_labels(const spmv_labels *labels, spmv_error *err)
{
    static const double dense[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    const spmv_write_options options = {.overwrite = true, .labels = labels};
    spmv_matrix A;
    spmv_status st = spmv_from_dense(&A, SPMV_CSR, SPMV_PATTERN, 3, 3, dense, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_write_binary(&A, path, &options, err);
    spmv_destroy(&A);
    return st;
}

static image write_image(const spmv_labels *labels)
{
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-label-section-%ld.csr", (long)getpid());
    cr_assert_eq(write_labels(labels, &err), SPMV_SUCCESS, "%s", err.message);
    return image_load(path);
}

static image write_words(const char *words, const int64_t *name_ptr)
{
    const spmv_labels labels = {
        .n = 3, .first = 1, .name_ptr = (int64_t *)name_ptr, .names = (char *)words};
    return write_image(&labels);
}

static image write_integers(void)
{
    static int64_t id[] = {3, 5, 8};
    const spmv_labels labels = {.n = 3, .first = 1, .id = id};
    return write_image(&labels);
}

static spmv_status read_image(const image *im, spmv_labels *labels, spmv_error *err)
{
    spmv_matrix A;
    spmv_file_info info = {0};
    FILE *f = fopen(path, "w");
    fwrite(im->data, 1, (size_t)im->size, f);
    fclose(f);
    const spmv_status st = spmv_read(&A, path, NULL, &info, err);
    unlink(path);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    *labels = info.labels;
    return st;
}

static const char words[] = "Anna\0Boris\0\xc3\x89lodie";
static const int64_t word_ptr[] = {0, 5, 11, 19};

Test(label_section, words_come_back)
{
    spmv_labels labels;
    spmv_error err;
    image im = write_words(words, word_ptr);
    cr_assert_eq(read_image(&im, &labels, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(labels.n == 3 && labels.id == NULL && labels.order == NULL);
    cr_assert_arr_eq(labels.name_ptr, word_ptr, sizeof word_ptr);
    cr_assert_arr_eq(labels.names, words, sizeof words);
    spmv_labels_destroy(&labels);
    free(im.data);
}

/* The place in a file of the table's row about labels. */
static int64_t row_of_labels(const image *im)
{
    const int64_t row = HEADER + ROW * (int64_t)(image_get(im, SECTIONS, 4) - 1);
    cr_assert_eq(memcmp(im->data + row, "labels", 7), 0);
    return row;
}

static void assert_refused(image *im, const char *message)
{
    spmv_labels labels;
    spmv_error err;
    reseal_sections(im->data, im->size);
    reseal_header(im->data, im->size);
    cr_assert_eq(read_image(im, &labels, &err), SPMV_ERROR_INVALID_FORMAT, "%s", message);
    cr_assert_not_null(strstr(err.message, message), "%s for %s", err.message, message);
    spmv_labels_destroy(&labels);
}

Test(label_section, words_that_cannot_be_are_refused, .init = limit_memory)
{
    static const struct {
        int64_t at; /* byte of the words that changes */
        unsigned char to;
        const char *message;
    } cases[] = {
        {18, 'x', "does not hold 3 words"},     {4, 'x', "does not hold 3 words"},
        {2, '\0', "does not hold 3 words"},     {0, 'C', "label 1 does not come after"},
        {5, '\0', "does not hold 3 words"},     {6, '\n', "label 1 holds a control character"},
        {11, 0xff, "label 2 is not UTF-8"},     {12, 'a', "label 2 is not UTF-8"},
        {0, '\x1b', "label 0 holds a control"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        image im = write_words(words, word_ptr);
        const int64_t begin = (int64_t)image_get(&im, row_of_labels(&im) + OFFSET, 8);
        im.data[begin + cases[i].at] = cases[i].to;
        assert_refused(&im, cases[i].message);
        free(im.data);
    }
}

Test(label_section, integers_ascend_from_no_less_than_0)
{
    static const struct {
        int64_t id[3];
        const char *message;
    } cases[] = {
        {{3, 3, 8}, "label 1 is 3, but the one before it is 3"},
        {{3, 5, 4}, "label 2 is 4, but the one before it is 5"},
        {{-1, 5, 8}, "label 0 is -1, which is negative"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        image im = write_integers();
        const int64_t begin = (int64_t)image_get(&im, row_of_labels(&im) + OFFSET, 8);
        memcpy(im.data + begin, cases[i].id, sizeof cases[i].id);
        assert_refused(&im, cases[i].message);
        free(im.data);
    }
}

/* Where there are more columns than rows, labels of the rows cannot be what both are called. */
Test(label_section, of_a_matrix_that_is_not_square)
{
    image words_of_rows = write_words(words, word_ptr), ids_of_rows = write_integers();
    image *images[] = {&words_of_rows, &ids_of_rows};
    for (int i = 0; i < 2; i++) {
        image_put(images[i], COLS, 8, 4);
        assert_refused(images[i], "the matrix has labels, but is not square");
        free(images[i]->data);
    }
}

Test(label_section, sizes_that_lie_ask_for_no_memory, .init = limit_memory)
{
    static const uint64_t sizes[] = {0, 1, 5, UINT64_C(1) << 40, UINT64_MAX, INT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        spmv_labels labels;
        spmv_error err;
        image im = write_words(words, word_ptr);
        image_put(&im, row_of_labels(&im) + SIZE, 8, sizes[i]);
        reseal_sections(im.data, im.size);
        reseal_header(im.data, im.size);
        cr_assert_eq(read_image(&im, &labels, &err), SPMV_ERROR_INVALID_FORMAT, "%llu",
                     (unsigned long long)sizes[i]);
        spmv_labels_destroy(&labels);
        free(im.data);
    }
}

/* A sum that does not fit says so, as for any section. */
Test(label_section, a_changed_byte_is_noticed)
{
    spmv_labels labels;
    spmv_error err;
    image im = write_words(words, word_ptr);
    im.data[image_get(&im, row_of_labels(&im) + OFFSET, 8)] = 'B';
    cr_assert_eq(read_image(&im, &labels, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "(labels) is damaged"), "%s", err.message);
    free(im.data);
}

Test(label_section, labels_in_no_order_are_not_written)
{
    static int64_t order[] = {2, 1, 0};
    const spmv_labels labels = {
        .n = 3, .name_ptr = (int64_t[]){0, 2, 4, 6}, .names = (char[]){"c\0b\0a"}, .order = order};
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-label-section-%ld.csr", (long)getpid());
    cr_assert_eq(write_labels(&labels, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_neq(access(path, F_OK), 0);
}
