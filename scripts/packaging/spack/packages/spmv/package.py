"""The checkout that this recipe lies in: what is committed there is built."""
from pathlib import Path

from spack.package import *

# Each variant with the package that it needs and the switch of the build.
OPTIONAL = {
    "openmp": (None, "SPMV_WITH_OPENMP"),
    "isal": ("isa-l", "SPMV_WITH_ISAL"),
    "zlib": ("zlib-api", "SPMV_WITH_ZLIB"),
    "bzip2": ("bzip2", "SPMV_WITH_BZIP2"),
    "xz": ("xz", "SPMV_WITH_XZ"),
    "zstd": ("zstd", "SPMV_WITH_ZSTD"),
    "archive": ("libarchive", "SPMV_WITH_ARCHIVE"),
    "hdf5": ("hdf5", "SPMV_WITH_HDF5"),
    "matio": ("matio", "SPMV_WITH_MATIO"),
    "expat": ("expat", "SPMV_WITH_EXPAT"),
    "metis": ("metis", "SPMV_WITH_METIS"),
    "png": ("libpng", "SPMV_WITH_PNG"),
    "mpi": ("mpi", "SPMV_WITH_MPI"),
    "graphblas": ("suite-sparse+graphblas", "SPMV_WITH_GRAPHBLAS"),
}


class Spmv(CMakePackage, CudaPackage):
    """Sparse matrices from file to answer: convert, multiply, rank, benchmark."""

    git = f"file://{Path(__file__).resolve().parents[5]}"
    license("BSD-2-Clause")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("xxhash")
    depends_on("cjson")
    depends_on("dragonbox")
    depends_on("fast-float")
    for _name, (_package, _) in OPTIONAL.items():
        variant(_name, default=_name != "graphblas", description=f"Build with {_name}")
        if _package:
            depends_on(_package, when=f"+{_name}")
    depends_on("hdf5~mpi", when="+hdf5~mpi")

    # The Matrix Market routines of NIST are among the tests of PETSc.
    resource(
        name="petsc",
        url="https://web.cels.anl.gov/projects/petsc/download/release-snapshots/petsc-lite-3.19.1.tar.gz",
        sha256="74db60c53c80b48d5c39e07bc39a883ecced88b9f24a5de17cf6f485a903e120",
        placement="petsc",
    )

    def cmake_args(self):
        mmio = Path(self.stage.source_path) / "petsc/src/mat/tests"
        args = [
            self.define("BUILD_TESTING", False),
            self.define("SPMV_MMIO_DIR", str(mmio)),
            self.define("SPMV_WITH_MKL", False),
            self.define("SPMV_WITH_CRITERION", False),
            self.define_from_variant("SPMV_CUDA", "cuda"),
        ]
        for name, (_, switch) in OPTIONAL.items():
            args.append(self.define_from_variant(switch, name))
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", list(self.spec.variants["cuda_arch"].value)))
        return args
