#!/usr/bin/python3
"""make.py -- how the files of this folder were made, with NumPy 1.24 and SciPy 1.10.

Beside each file that can be read stands NAME.expect: the matrix as SciPy itself loads it, duplicates
summed; beside the others an exit status and a phrase of the message.
"""
import io
import struct
import zipfile

import numpy as np
import scipy.sparse as sp


def expect(name, A, kind, layout):
    A = A.tocoo(copy=True)
    A.sum_duplicates()
    order = np.lexsort((A.col, A.row))
    with open(name + ".expect", "w") as f:
        print("matrix", *A.shape, A.nnz, kind, layout, file=f)
        for p in order:
            parts = [A.data[p].real, A.data[p].imag] if np.iscomplexobj(A) else [A.data[p]]
            print("entry", A.row[p] + 1, A.col[p] + 1, *(float(v).hex() for v in parts), file=f)


def refuse(name, status, phrase):
    with open(name + ".expect", "w") as f:
        print(status, phrase, sep="\n", file=f)


def good(name, A, kind, compressed=True):
    sp.save_npz(name, A, compressed=compressed)
    expect(name + ".npz", sp.load_npz(name + ".npz"), kind, A.format)


def bad(name, status, phrase, **arrays):
    np.savez(name, **arrays)
    refuse(name + ".npz", status, phrase)


def csr(**changed):
    """The arrays of the worked example, some of them changed; None leaves one out."""
    arrays = dict(indices=np.array([0, 2, 1, 2, 3], "i4"), indptr=np.array([0, 2, 4, 5], "i4"),
                  format=b"csr", shape=np.array([3, 4]), data=np.array([1.0, 2, 3, 4, 5]))
    arrays.update(changed)
    return {k: v for k, v in arrays.items() if v is not None}


def coo(row, col, data, shape):
    return sp.coo_matrix((data, (row, col)), shape=shape)


def npy(name, A, version=None):
    with open(name + ".npy", "wb") as f:
        np.lib.format.write_array(f, A, version=version)


worked = sp.csr_matrix(np.array([[1.0, 0, 2, 0], [0, 3, 4, 0], [0, 0, 0, 5]]))
good("csr", worked, "f64")
good("csr_stored", worked, "f64", compressed=False)
good("csc", worked.tocsc(), "f64")
good("coo", worked.tocoo(), "f64")
good("single", (worked / 3).astype("f4"), "f32")
good("logical", worked.astype(bool), "pattern")
good("complex", worked * 1j, "c128")
good("complex_single", ((worked - 2j * worked) / 3).astype("c8"), "c64")
np.savez("complex_swapped", **csr(data=(worked.data + 0.5j).astype(">c16")))
expect("complex_swapped.npz", sp.csr_matrix((worked.data + 0.5j, worked.indices, worked.indptr), (3, 4)), "c128", "csr")
for t in "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8":
    good("values_" + t, worked.astype(t), "f64")
odd = np.array([np.nan, -0.0, 5e-324, -np.inf, 2.0**53 + 2])
good("odd_values", sp.csr_matrix((odd, worked.indices, worked.indptr), (3, 4)), "f64")
good("empty", sp.csr_matrix((0, 0)), "f64")
good("no_entries", sp.csc_matrix((3, 70000), dtype="f4"), "f32")
good("duplicates", coo([2, 0, 2, 0], [1, 0, 1, 3], [1.5, 2, 3, 4], (3, 4)), "f64")
unsorted = sp.csr_matrix((np.arange(1.0, 6), [2, 0, 2, 1, 3], [0, 2, 4, 5]), (3, 4))
good("unsorted_csr", unsorted, "f64")
good("unsorted_csc", unsorted.T, "f64")
# 16 GB of row offsets, if anybody made them; so would most conversions, and it is read on its own.
with open("many_rows.zip", "wb") as f:
    sp.save_npz(f, sp.csc_matrix((unsorted.data, unsorted.indices, unsorted.indptr), (2**31 - 1, 3)))
twice = sp.csr_matrix((np.arange(1.0, 6), [2, 2, 2, 1, 3], [0, 2, 4, 5]), (3, 4))
good("duplicates_csr", twice, "f64")

wide = csr(indices=np.array([0, 2, 1, 2, 3], "i8"), indptr=np.array([0, 2, 4, 5], "i8"))
np.savez("wide_indices", **wide)
np.savez("unsigned_indices", **csr(indices=wide["indices"].astype("u2")))
np.savez("swapped", **csr(indices=wide["indices"].astype(">i4"), indptr=wide["indptr"].astype(">i8"),
                          data=worked.data.astype(">f8"), shape=np.array([3, 4], ">i4")))
np.savez("format_as_text", **csr(format="csr"))
np.savez("spare_room", **csr(data=np.arange(1.0, 8), indices=np.array([0, 2, 1, 2, 3, 9, -1])))
np.savez("other_members", note="a remark", **csr(_is_array=True))
for name in "wide_indices", "unsigned_indices", "swapped", "format_as_text", "spare_room", "other_members":
    expect(name + ".npz", worked, "f64", "csr")
np.savez("false_values", **csr(data=np.array([1, 0, 1, 1, 1], bool)))
expect("false_values.npz", sp.csr_matrix((np.array([1.0, 0, 1, 1, 1]), worked.indices, worked.indptr), (3, 4)),
       "f64", "csr")

dense = worked.toarray()
npy("dense", dense)
npy("dense_fortran", np.asfortranarray(dense))
npy("dense_single", dense.astype("f4"))
npy("dense_logical", dense != 0)
npy("dense_integer", dense.astype(">i2"))
npy("version_2", dense, (2, 0))
npy("version_3", dense, (3, 0))
npy("column", np.array([1.0, 0, 3]))
for name, kind in dict(dense="f64", dense_fortran="f64", dense_single="f32", dense_logical="pattern",
                       dense_integer="f64", version_2="f64", version_3="f64").items():
    expect(name + ".npy", worked.astype(bool) if kind == "pattern" else worked, kind, "csr")
expect("column.npy", sp.csr_matrix(np.array([[1.0], [0], [3]])), "f64", "csr")
npy("complex_dense", dense * (1 + 1j))
expect("complex_dense.npy", worked * (1 + 1j), "c128", "csr")
npy("complex_column", np.array([1j, 0, 3 - 4j], "c8"))
expect("complex_column.npy", sp.csr_matrix(np.array([[1j], [0], [3 - 4j]])), "c64", "csr")
npy("row", np.array([[1.0, 2, 3]]))
expect("row.npy", sp.csr_matrix(np.array([[1.0, 2, 3]])), "f64", "csr")
npy("rows_without_columns", np.empty((2**31, 0)))  # 17 GB of row offsets for 128 bytes
expect("rows_without_columns.npy", sp.coo_matrix((2**31, 0)), "f64", "coo")

bad("format_bsr", 3, "format 'bsr' is not supported", indices=[0], indptr=[0, 1], format=b"bsr", shape=[2, 2],
    data=np.ones((1, 2, 2)))
bad("format_dia", 3, "format 'dia' is not supported", offsets=[0], format=b"dia", shape=[2, 2], data=np.ones((1, 2)))
bad("no_format", 3, "there is no format.npy", **csr(format=None))
bad("no_indptr", 3, "there is no indptr.npy", **csr(indptr=None))
bad("pickled", 3, "pickled Python objects", **csr(data=worked.data.astype(object)))
bad("half", 3, "type '<f2'", **csr(data=worked.data.astype("f2")))
bad("inexact", 3, "data.npy has a value (number 2) that f64 cannot hold",
    **csr(data=np.array([1, 2**53 + 1, 3, 4, 5])))
bad("text_values", 3, "holds text", **csr(data=np.array(["abc"] * 5, "S3")))
bad("real_indices", 3, "indices.npy does not hold integers", **csr(indices=np.array([0, 2, 1, 2, 3.0])))
bad("index_outside", 3, "outside 3 x 4", **csr(indices=np.array([0, 2, 1, 2, 4])))
bad("index_negative", 3, "outside 3 x 4", **csr(indices=np.array([0, 2, 1, 2, -1])))
bad("index_beyond_32_bits", 3, "beyond the range", **csr(indices=np.array([0, 2, 1, 2, 2**32 + 3])))
bad("offsets_fall", 3, "indptr", **csr(indptr=np.array([0, 4, 2, 5])))
bad("offsets_too_large", 3, "indptr", **csr(indptr=np.array([0, 2, 4, 6])))
bad("offsets_negative", 3, "indptr", **csr(indptr=np.array([0, 2, 4, -1])))
bad("offsets_too_few", 3, "indptr.npy has 3 elements, expected 4", **csr(indptr=np.array([0, 2, 5])))
bad("values_too_few", 3, "4 values, but 5 elements in indices.npy", **csr(data=np.ones(4)))
bad("shape_negative", 3, "none may be negative", **csr(shape=np.array([-3, 4])))
bad("shape_huge", 3, "too large for csr", **csr(shape=np.array([3, 2**62])))
bad("rows_huge", 3, "indptr.npy has 4 elements", **csr(shape=np.array([2**62, 4])))
bad("shape_of_three", 3, "shape has 3 dimensions", **csr(shape=np.array([3, 4, 5])))
bad("two_dimensions", 3, "indices.npy has 2 dimensions, expected 1", **csr(indices=np.zeros((5, 1), "i4")))
bad("coo_uneven", 3, "elements", row=[0, 1], col=[0], format=b"coo", shape=[3, 3], data=[1.0, 2])

for name, A, phrase in (
    ("pickled_dense", None, "pickled Python objects"),
    ("records", np.zeros(2, [("a", "f8"), ("b", "f8")]), "holds records"),
    ("cube", np.zeros((2, 2, 2)), "has 3 dimensions"),
    ("scalar", np.array(1.0), "has 0 dimensions"),
    ("dates", np.zeros(2, "M8[s]"), "type '<M8[s]'"),
):
    np.save(name, np.array([None]) if A is None else A)
    refuse(name + ".npy", 3, phrase)


def header(text, data=b"", version=1):
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text.encode() + data


fine = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }"
for name, content, phrase in (
    ("header_code", header("__import__('os').abort()", bytes(8)), "not a dictionary"),
    ("header_twice", header(fine[:-1] + "'shape': (1, 2)}", bytes(16)), "a key that NumPy does not use"),
    ("header_key", header(fine.replace("descr", "dexcr"), bytes(16)), "a key that NumPy does not use"),
    ("header_without_shape", header(fine.replace("'shape': (1, 2), ", ""), bytes(16)), "without one of"),
    ("header_tail", header(fine + " {}", bytes(16)), "not a dictionary"),
    ("header_endless", header("{'descr': '<f8", bytes(16)), "endless string"),
    ("header_cut", header(fine)[:40], "ends before its header"),
    ("header_long", header(" " * 70000, b"", 2)[:64], "header of 70000 bytes"),
    ("version_4", header(fine, bytes(16), 4), "version 4.0"),
    ("shape_is_number", header(fine.replace("(1, 2)", "(2)"), bytes(16)), "not a tuple"),
    ("shape_of_words", header(fine.replace("(1, 2)", "(a, 2)"), bytes(16)), "not a tuple"),
    ("shape_overflows", header(fine.replace("(1, 2)", "(4294967296, 4294967296)")), "more than 63 bits"),
    ("length_overflows", header(fine.replace("(1, 2)", "(1, 18446744073709551618)"), bytes(16)), "more than 63 bits"),
    ("shape_deep", header(fine.replace("(1, 2)", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), bytes(8)), "more than eight"),
    ("too_short", header(fine, bytes(15)), "15 bytes of elements"),
    ("too_long", header(fine, bytes(17)), "17 bytes of elements"),
    ("order_unknown", header(fine.replace("False", "Maybe"), bytes(16)), "neither True nor False"),
    ("truth_of_two", header(fine.replace("<f8", "|b1"), b"\1\2"), "(number 2) that is neither True nor False"),
    ("type_native", header(fine.replace("<f8", "=f8"), bytes(16)), "type '=f8'"),
    ("huge_claim", header(fine.replace("(1, 2)", "(1000000, 1000000)"), bytes(16)), "16 bytes of elements"),
):
    with open(name + ".npy", "wb") as f:
        f.write(content)
    refuse(name + ".npy", 3, phrase)

# Archives that SciPy would not write.
buffer = io.BytesIO()
np.savez(buffer, **csr())
members = [(i.filename, zipfile.ZipFile(buffer).read(i)) for i in zipfile.ZipFile(buffer).infolist()]


def archive(name, entries, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(name, "w", compression) as z:
        for path, data in entries:
            z.writestr(zipfile.ZipInfo(path), data, compression)


archive("climbing_names.npz", [("../../tmp/x.npy", b"x"), ("/etc/x.npy", b"x")] + members)
expect("climbing_names.npz", worked, "f64", "csr")
archive("member_twice.npz", members + members[:1])
refuse("member_twice.npz", 3, "indices.npy appears twice")
archive("bzip2.npz", members, zipfile.ZIP_BZIP2)
expect("bzip2.npz", worked, "f64", "csr")


def patched(name, find, put, phrase, nth=-1):
    """The stored archive with bytes changed where `find` occurs last (or first: nth=0)."""
    content = buffer.getvalue()
    at = content.rindex(find) if nth < 0 else content.index(find)
    with open(name + ".npz", "wb") as f:
        f.write(content[:at] + put + content[at + len(find):])
    refuse(name + ".npz", 3, phrase)


five = struct.pack("<d", 5.0)
patched("checksum_wrong", five, struct.pack("<d", 6.0), "bad CRC")
plain = io.BytesIO()
with zipfile.ZipFile(plain, "w") as z:
    for path, data in members:
        z.writestr(zipfile.ZipInfo(path), data)
    last = z.infolist()[-1].header_offset  # of data.npy
plain = plain.getvalue()
entry = plain.rindex(b"PK\x01\x02")  # of data.npy in the directory


def lying(name, field_here, field_there, value, phrase):
    """A number changed in the header of data.npy and in the directory."""
    content = bytearray(plain)
    content[last + field_here:last + field_here + 4] = struct.pack("<I", value)
    content[entry + field_there:entry + field_there + 4] = struct.pack("<I", value)
    with open(name + ".npz", "wb") as f:
        f.write(content)
    refuse(name + ".npz", 3, phrase)


lying("size_too_large", 22, 24, 2**31 - 1, "data.npy is to have 2147483647 bytes")
lying("size_too_small", 22, 24, 160, "data.npy has 32 bytes of elements; its header asks for 40")
lying("size_packed_too_large", 18, 20, 1000, "archive")


def lying_long(name, size, phrase):
    """The same in 64 bits: both sizes of data.npy stand in an extra field, here and there."""
    extra = struct.pack("<HHQQ", 1, 16, size, size)
    directory, end = plain.index(b"PK\x01\x02"), plain.rindex(b"PK\x05\x06")
    data = last + 30 + len("data.npy")
    here, there = bytearray(plain[last:data]), bytearray(plain[entry:end])
    here[18:26] = there[20:28] = b"\xff" * 8
    here[28:30] = there[30:32] = struct.pack("<H", len(extra))
    tail = bytearray(plain[end:])
    tail[12:20] = struct.pack("<II", end - directory + len(extra), directory + len(extra))
    with open(name + ".npz", "wb") as f:
        f.write(plain[:last] + here + extra + plain[data:entry] + there + extra + tail)
    refuse(name + ".npz", 3, phrase)


lying_long("size_of_5_gb", 5 << 30, "data.npy is to have 5368709120 bytes, in an archive of")
lying_long("size_negative", 2**64 - 8, "archive cannot be read")
overlapping = plain[:entry + 42] + struct.pack("<I", 0) + plain[entry + 46:]
with open("members_overlap.npz", "wb") as f:
    f.write(overlapping)
refuse("members_overlap.npz", 3, "there is no data.npy")
