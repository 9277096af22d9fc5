/* spmv.h -- the public interface of libspmv: sparse matrices from file to answer.
 *
 * It has a chapter for each theme, which may be included by itself: status, types, matrix, convert,
 * inspect, vector, kernel, multiply, typed, view, gpu_view, rows, labels, file, generate, pagerank,
 * spgemm, comm, parts, gpus.
 *
 * Conventions
 *   - Every function that can fail returns spmv_status and takes, last, an spmv_error that may be
 *     NULL.  On failure outputs hold nothing that needs releasing, and nothing is half-built.
 *   - Counts and offsets are int64_t, column indices int32_t with a checked limit, base 0.
 *   - Matrices on the host are open structs: read them freely.  What lives on a GPU is opaque.
 *   - Copying a struct never copies ownership; each has one owner and one destroy call, and every
 *     destroy accepts an empty (all zero) or NULL argument.
 *   - Any functions may be called by several threads at once, also on the same data as long as none
 *     of them writes to it: parameters that are const are only read.  Files in HDF5 (binsparse,
 *     MATLAB 7.3) need an HDF5 library that was built for threads, as Debian's is.
 *   - The library never prints or exits, nor reads arguments or the environment.  Libraries that it
 *     loads may, or crash, where they get no memory: libarchive (.npz, .tar, .zip), HDF5, which
 *     may also print at the end of a process that read damaged files, matio and METIS.
 *   - C11 or C++11.  Threads have 256 KB of stack, and those of OpenMP, too (OMP_STACKSIZE).
 *   - Threads are those of OpenMP, SPMV_MAX_THREADS at most whatever is asked for.  OpenMP itself
 *     reads the environment, and ends the process where a thread cannot be started.
 *   - fork() copies none of them: with GCC's OpenMP a child waits forever for threads that its
 *     parent had.  Fork before the first call, or let the parent call
 *     omp_pause_resource_all(omp_pause_hard) just before it forks, or let the child exec. */
#ifndef SPMV_H
#define SPMV_H

#include "spmv/status.h"
#include "spmv/types.h"
#include "spmv/matrix.h"
#include "spmv/convert.h"
#include "spmv/inspect.h"
#include "spmv/vector.h"
#include "spmv/kernel.h"
#include "spmv/multiply.h"
#include "spmv/typed.h"
#include "spmv/view.h"
#include "spmv/gpu_view.h"
#include "spmv/rows.h"
#include "spmv/labels.h"
#include "spmv/file.h"
#include "spmv/generate.h"
#include "spmv/pagerank.h"
#include "spmv/spgemm.h"
#include "spmv/comm.h"
#include "spmv/parts.h"
#include "spmv/gpus.h"

#endif
