/* started_bench_test.h -- tests measure as a tool that was started does. */
#pragma once

#include "cli/bench/measure/bench_form.h"
#include "cli/tool/signals.h"
#include "cli/tool/tool.h"

/* The process of a test ends by itself. */
static inline void bench_test_start(bench_options *o)
{
    static char *argv[] = {"spmv-bench", "a.mtx", NULL};
    static const tool t = {.name = "spmv-bench", .operands = "MATRIX"};
    static operands words;
    tool_start(&t, 2, argv, &o->common, &words);
    tool_expect_exit();
}
