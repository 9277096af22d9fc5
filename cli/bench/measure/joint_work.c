/* joint_work.c -- see joint_work.h. */
#include "cli/bench/measure/joint_work.h"
#include "cli/tool/fail.h"
#include "cli/tool/steps.h"

spmv_status joint_open(bench_work *work, spmv_error *err)
{
    return spmv_gpus_create(&work->gpus, NULL, work->gpu_count, &work->matrix->A.csr,
                            SPMV_PARTITION_NNZ, &work->config, err);
}

spmv_status joint_set_vectors(bench_work *work, spmv_error *err)
{
    const bench_matrix *m = work->matrix;
    spmv_dense y = {0};
    spmv_status st;
    TOOL_TRY(spmv_dense_create(&y, m->precision, m->stats.rows, 1, err));
    step_blank(&y);
    TOOL_TRY(spmv_gpus_set_x(work->gpus, &m->x, err));
    TOOL_TRY(spmv_gpus_set_y(work->gpus, &y, err));
    if (m->options->no_verify) goto done;
    work->blank = y;
    y = (spmv_dense){0};
done:
    spmv_dense_destroy(&y);
    return st;
}

spmv_status joint_fetch_y(bench_work *work, spmv_dense *out, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(spmv_dense_reorder(out, &work->blank, false, err));
    TOOL_TRY(spmv_gpus_get_y(work->gpus, out, err));
done:
    return st;
}
