/* version.c -- what this build is; CMake fills in build_info.h. */
#include "cli/tool/version.h"
#include "build_info.h"
#include "spmv.h"

const char *version_commit(void)
{
    return BUILD_COMMIT;
}

void version_print(const char *tool, bool verbose, FILE *out)
{
    static const char *const facts[][2] = {
        {"commit", BUILD_COMMIT},
        {"compiler", BUILD_COMPILER},
        {"build type", BUILD_TYPE},
        {"CUDA", BUILD_CUDA},
        {"GPU architectures", BUILD_CUDA_ARCHITECTURES},
        {"optional libraries", BUILD_LIBRARIES},
    };
    fprintf(out, "%s %s\n", tool, SPMV_VERSION);
    for (size_t i = 0; verbose && i < sizeof facts / sizeof facts[0]; i++)
        fprintf(out, "%s: %s\n", facts[i][0], facts[i][1]);
}
