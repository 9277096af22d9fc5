#!/usr/bin/python3
"""cupy-example.py -- a matrix and vectors of CuPy's, multiplied where they are, with ctypes alone.

Needs a GPU, and libspmv.so.0 where the loader finds it.  scripts/test-cupy runs it, and wants what it prints to be
what stands here."""
import ctypes as c, scipy.sparse
import cupy as cp, cupyx.scipy.sparse as sp

lib, i64, ptr, err = c.CDLL("libspmv.so.0"), c.c_int64, c.c_void_p, c.create_string_buffer(528)

class View(c.Structure):
    _fields_ = [("type", c.c_int), ("symmetry", c.c_int), ("rows", i64), ("cols", i64), ("nnz", i64),
                ("row_ptr_bits", c.c_int), ("col_idx_bits", c.c_int), ("index_base", c.c_int),
                ("row_ptr", ptr), ("col_idx", ptr), ("val", ptr)]
class Dense(c.Structure):
    _fields_ = [("type", c.c_int), ("rows", i64), ("cols", i64), ("data", ptr), ("on_gpu", c.c_bool),
                ("by_rows", c.c_bool), ("storage", ptr), ("ld", i64)]
class Options(c.Structure):
    _fields_ = [("kernel", c.c_char_p), ("block_size", c.c_int), ("x_readonly", c.c_bool), ("vector_type", c.c_int)]
class Allocator(c.Structure):
    _fields_ = [("allocate", c.CFUNCTYPE(ptr, i64, ptr, ptr)), ("release", c.CFUNCTYPE(None, ptr, i64, ptr, ptr)),
                ("user", ptr)]

def call(function, *arguments):
    if function(*[c.c_double(a) if isinstance(a, float) else a for a in arguments], err) != 0:
        raise RuntimeError(err.raw[272:].split(b"\0")[0].decode())
def dense(x):
    return c.byref(Dense(2, len(x), 1, x.data.ptr, True))

stream, taken = cp.cuda.Stream(non_blocking=True), {}
def allocate(size, *_):  # what the library needs on the GPU comes from CuPy's pool
    with stream:
        memory = cp.cuda.alloc(size)
    taken[memory.ptr] = memory
    return memory.ptr
def release(data, *_):
    del taken[data]
pool = Allocator(Allocator._fields_[0][1](allocate), Allocator._fields_[1][1](release))

ctx, A, op = ptr(), ptr(), ptr()
with stream:
    S = sp.csr_matrix(scipy.sparse.random(1000, 1000, 0.01, format="csr", random_state=1))
    x, y = cp.arange(1000.0), cp.zeros(1000)
    call(lib.spmv_context_create_on_stream, c.byref(ctx), cp.cuda.Device().id, ptr(stream.ptr), c.byref(pool))
    view = View(2, 0, *S.shape, S.nnz, 32, 32, 0, S.indptr.data.ptr, S.indices.data.ptr, S.data.data.ptr)
    call(lib.spmv_gpu_matrix_from_view, c.byref(A), ctx, c.byref(view))
    call(lib.spmv_operator_create_on_gpu, c.byref(op), ctx, A, c.byref(Options(b"csr-merge")))

    S.data *= 2  # a kernel of CuPy's, one of the library, one of CuPy's: the host waits for none of them
    call(lib.spmv_apply, op, 1.0, dense(x), 0.0, dense(y), None)
    y += 1
    print(bool(cp.allclose(y, S @ x + 1)))
# prints True

lib.spmv_operator_destroy(op), lib.spmv_gpu_matrix_destroy(A), lib.spmv_context_destroy(ctx)
print(len(taken), "allocations are left")
# prints 0 allocations are left
