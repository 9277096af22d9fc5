/* part_files_memory_test.c -- files that ranks write of which one gets no memory. */
#include "core/comm/scarcity_test.h"
#include "formats/file/scratch_folder_test.h"

TestSuite(part_files_memory, .init = open_folder, .fini = remove_folder);

static const char *const names[] = {"C.csr", "C.mtx", "C.el", "C.csr.gz"};
enum { NAMES = sizeof names / sizeof *names };

static spmv_status write_all(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = true};
    spmv_part part = {0};
    spmv_status st;
    SPMV__TRY(
        spmv_part_spread(&part, comm, comm->rank == 0 ? s->A : NULL, SPMV_PARTITION_NNZ, err));
    for (int i = 0; i < NAMES; i++)
        SPMV__TRY(spmv_write_part(&part, comm, names[i], &options, err));
done:
    spmv_part_destroy(&part);
    return st;
}

Test(part_files_memory, no_memory_ends_writing_on_all_ranks)
{
    const spmv_generate_options options = {.scale = 6, .per_row = 4, .seed = 1};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = write_all, .A = &A});
    for (int i = 0; i < NAMES; i++) unlink(names[i]);
    spmv_destroy(&A);
}
