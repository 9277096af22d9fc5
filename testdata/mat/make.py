#!/usr/bin/python3
"""make.py -- how the files of this folder were made, with SciPy 1.10 and h5py 3.7.

Beside each file that can be read stands NAME.expect: the matrix as SciPy itself loads it, with its
explicit zeros; beside the others an exit status, no place, and a phrase of the message.
"""
import struct

import h5py
import numpy as np
import scipy.io as sio
import scipy.sparse as sp

HEADER = b"MATLAB 5.0 MAT-file, made by SciPy".ljust(116) + bytes(8)


def save(name, variables, **how):
    sio.savemat(name + ".mat", variables, **how)
    with open(name + ".mat", "r+b") as f:
        if f.read(6) == b"MATLAB":  # the time is in the header
            f.seek(0)
            f.write(HEADER)


def expect(name, A, kind):
    A = A.tocoo(copy=True)
    order = np.lexsort((A.col, A.row))
    with open(name + ".expect", "w") as f:
        print("matrix", *A.shape, A.nnz, kind, file=f)
        for p in order:
            parts = [A.data[p].real, A.data[p].imag] if np.iscomplexobj(A) else [A.data[p]]
            print("entry", A.row[p] + 1, A.col[p] + 1, *(float(v).hex() for v in parts), file=f)


def refuse(name, status, phrase):
    with open(name + ".expect", "w") as f:
        print(status, "0:0", phrase, sep="\n", file=f)


def good(name, A, kind, **how):
    save(name, {"M": A}, **how)
    loaded = sio.loadmat(name + ".mat")["M"].tocsc()
    loaded.sum_duplicates()
    expect(name, loaded, kind)


def changed(name, old, new, status, phrase):
    """plain.mat with the first of some integers replaced."""
    with open("plain.mat", "rb") as f:
        data = f.read()
    old, new = (struct.pack("<%di" % len(n), *n) for n in (old, new))
    assert data.count(old) == 1, name
    with open(name + ".mat", "wb") as f:
        f.write(data.replace(old, new))
    refuse(name, status, phrase)


worked = sp.csc_matrix(np.array([[1.0, 0, 2, 0], [0, 3, 4, 0], [0, 0, 0, 5]]))
good("plain", worked, "f64")
good("compressed", worked, "f64", do_compression=True)
good("complex", worked * (1 - 2j), "c128")
good("logical", worked.astype(bool), "pattern")
good("integers", worked.astype("i4") - 2 * sp.csc_matrix(worked > 4).astype("i4") * 40, "f64")
good("single", (worked / 3).astype("f4"), "f64")
good("empty", sp.csc_matrix((3, 2)), "f64")
good("unsorted", sp.csc_matrix((np.array([1.0, 2, 4]), np.array([2, 0, 2]), np.array([0, 2, 3])),
                               shape=(3, 2)), "f64")

# As the SuiteSparse collection has it: two of the entries are 0.
problem = {"name": "HB/worked", "title": "THE WORKED EXAMPLE", "id": 1.0, "b": np.ones(3),
           "A": worked, "Zeros": sp.csc_matrix(([1.0, 1], ([0, 2], [1, 0])), shape=(3, 4)),
           "notes": np.array(["two lines", "of notes "]), "aux": {"c": np.arange(4.0)}}
save("suitesparse", {"Problem": problem}, do_compression=True)
W = worked.tocoo()
expect("suitesparse", sp.coo_matrix((np.append(W.data, [0, 0]), (np.append(W.row, [0, 2]),
                                     np.append(W.col, [1, 0]))), shape=(3, 4)), "f64")

save("two", {"x": np.ones(3), "B": worked, "A": 2 * worked, "S": {"A": 3 * worked}})
refuse("two", 3, "3 sparse matrices of the file could be meant, `member` chooses: B, A, S.A")
save("dense", {"x": np.ones(3), "name": "text"})
refuse("dense", 3, "the file holds no sparse matrix, only: x, name")
save("version_4", {"M": worked}, format="4")
refuse("version_4", 3, "not a MATLAB file of version 5 or 7.3")

changed("pointer_falls", (0, 1, 2, 4, 5), (0, 1, 3, 2, 5), 3, "the pointer to column 4 is 2, outside 3..5")
changed("pointer_first", (0, 1, 2, 4, 5), (1, 1, 2, 4, 5), 3, "the pointer to column 1 is 1, outside 0..0")
changed("pointer_beyond", (0, 1, 2, 4, 5), (0, 1, 2, 4, 6), 3, "the pointer to column 5 is 6, outside 4..5")
changed("pointer_negative", (0, 1, 2, 4, 5), (0, 1, 2, 4, -1), 3, "the pointer to column 5 is 4294967295, outside 4..5")
changed("row_beyond", (0, 1, 0, 1, 2), (0, 1, 3, 1, 2), 3, "entry 3 is in row 4 of 3")
changed("row_negative", (0, 1, 0, 1, 2), (0, 1, 0, 1, -1), 3, "entry 5 is in row 4294967296 of 3")
changed("shape_narrow", (3, 4), (3, 3), 3, "5 pointers to columns do not go with a shape of 3 x 3")
changed("shape_huge", (3, 4), (3, 0x7fffffff), 3, "do not go with a shape of 3 x 2147483647")

# The value of the last entry is missing: the variable and its values are a double shorter.
with open("plain.mat", "rb") as f:
    data = f.read()[:-8]
for tag in (14, 152), (9, 40):
    old, new = (struct.pack("<2i", tag[0], size) for size in (tag[1], tag[1] - 8))
    assert data.count(old) == 1, tag
    data = data.replace(old, new)
with open("values_too_few.mat", "wb") as f:
    f.write(data)
refuse("values_too_few", 3, "there are 5 entries, but 4 values")

save("zeros_elsewhere", {"Problem": {"A": worked, "Zeros": sp.csc_matrix((2, 2))}})
refuse("zeros_elsewhere", 3, "Problem.A and Problem.Zeros have different shapes")

# Version 7.3, as MATLAB writes it: HDF5 behind 512 bytes with a header.
with h5py.File("version_73.mat", "w", userblock_size=512, track_order=False) as f:
    group = f.create_group("M")
    kind = h5py.h5t.C_S1.copy()  # MATLAB's strings end with a byte 0
    kind.set_size(7)
    name = h5py.h5a.create(group.id, b"MATLAB_class", kind, h5py.h5s.create(h5py.h5s.SCALAR))
    name.write(np.array(b"double", "S7"), kind)
    group.attrs["MATLAB_sparse"] = np.uint64(3)
    group.create_dataset("data", data=worked.data)
    group.create_dataset("ir", data=worked.indices.astype("u8"))
    group.create_dataset("jc", data=worked.indptr.astype("u8"))
with open("version_73.mat", "r+b") as f:
    f.write(b"MATLAB 7.3 MAT-file, made by h5py".ljust(116) + bytes(8) + b"\0\2IM")
expect("version_73", worked, "f64")
