#!/usr/bin/python3
"""scipy-example.py -- matrices of SciPy's and vectors of NumPy's in libspmv, with ctypes alone.

Needs libspmv.so.0 where the loader finds it.  Writes web.txt.  scripts/test-python runs it, and wants what it
prints to be what stands here."""
import ctypes as c
import numpy as np, scipy.sparse as sp

lib, i64, ptr, err = c.CDLL("libspmv.so.0"), c.c_int64, c.c_void_p, c.create_string_buffer(528)

class Csr(c.Structure):
    _fields_ = [("type", c.c_int), ("symmetry", c.c_int), ("rows", i64), ("cols", i64), ("nnz", i64),
                ("storage", ptr), ("row_ptr", ptr), ("col_idx", ptr), ("val", ptr)]
class Matrix(c.Structure):  # with room for the other formats
    _fields_ = [("format", c.c_int), ("csr", Csr), ("rest", c.c_char * 256)]
class View(c.Structure):
    _fields_ = Csr._fields_[:5] + [("row_ptr_bits", c.c_int), ("col_idx_bits", c.c_int), ("index_base", c.c_int),
                                   ("row_ptr", ptr), ("col_idx", ptr), ("val", ptr)]
class Dense(c.Structure):
    _fields_ = [("type", c.c_int), ("rows", i64), ("cols", i64), ("data", ptr), ("on_gpu", c.c_bool),
                ("by_rows", c.c_bool), ("storage", ptr), ("ld", i64)]
class Ranking(c.Structure):
    _fields_ = [("ranks", ptr), ("nodes", i64), ("rankings", i64), ("rest", c.c_char * 256)]

def call(function, *arguments):
    if function(*[c.c_double(a) if isinstance(a, float) else a for a in arguments], err) != 0:
        raise RuntimeError(err.raw[272:].split(b"\0")[0].decode())
def array(address, n, kind):  # over memory of the library's
    return np.ctypeslib.as_array(c.cast(address, c.POINTER(kind)), (n,))
def dense(x):  # over a vector of NumPy's
    return c.byref(Dense(2, len(x), 1, x.ctypes.data, False, True, None, x.strides[0] // 8))

open("web.txt", "w").write("0 1\n0 2\n1 2\n2 0\n3 2\n")
A, C, ranking = Matrix(), Matrix(), Ranking()
call(lib.spmv_read, c.byref(A), b"web.txt", None, None)       # a pattern, as the file has no weights

S = sp.random(4, 4, 0.5, format="csr", random_state=1)        # a matrix of SciPy's, multiplied where it is
x, y = np.arange(8.0)[::2], np.zeros(4)
view = View(2, 0, *S.shape, S.nnz, 32, 32, 0, S.indptr.ctypes.data, S.indices.ctypes.data, S.data.ctypes.data)
call(lib.spmv_csr_view_multiply, c.byref(view), 1.0, dense(x), 0.0, dense(y), 0)
print(np.allclose(y, S @ x))
# prints True

call(lib.spmv_pagerank, c.byref(ranking), c.byref(A), None)
print(array(ranking.ranks, 4, c.c_double).round(4))
# prints [0.3725 0.1958 0.3941 0.0375]

call(lib.spmv_spgemm, c.byref(C), c.byref(A), c.byref(A), None, None)
print(sp.csr_matrix((array(C.csr.val, C.csr.nnz, c.c_double), array(C.csr.col_idx, C.csr.nnz, c.c_int32),
                     array(C.csr.row_ptr, 5, i64)), (4, 4), copy=False).toarray())
# prints [[1. 0. 1. 0.]
# prints  [1. 0. 0. 0.]
# prints  [0. 1. 1. 0.]
# prints  [1. 0. 0. 0.]]

lib.spmv_destroy(c.byref(A)), lib.spmv_destroy(c.byref(C)), lib.spmv_pagerank_destroy(c.byref(ranking))
