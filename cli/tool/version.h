/* version.h -- what this build is. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Print "spmv-run 0.1.0"; with `verbose` also commit, compiler, CUDA version and architectures. */
void version_print(const char *tool, bool verbose, FILE *out);

const char *version_commit(void); /* "unknown" outside a repository */
