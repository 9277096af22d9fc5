"""Dragonbox, which Spack's own repository does not have."""
from spack.package import *


class Dragonbox(CMakePackage):
    """The shortest decimal digits of a floating-point number."""

    homepage = "https://github.com/jk-jeon/dragonbox"
    git = "https://github.com/jk-jeon/dragonbox.git"

    version("1.1.3", tag="1.1.3")

    depends_on("cmake@3.14:", type="build")
    depends_on("cxx", type="build")
