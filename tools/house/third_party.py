"""Which header belongs to which library, and by which words a room or DEPENDENCIES.md names it."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    headers: str  # regular expression over what stands between < and >
    targets: tuple[str, ...]  # what THIRD_PARTY may call it
    packages: tuple[str, ...]  # what DEPENDENCIES.md calls it: any of these


LIBRARIES = (
    Library(r"nlohmann/.*", ("nlohmann_json::nlohmann_json",), ("apt:nlohmann-json3-dev",)),
    Library(r"yaml-cpp/.*", ("yaml-cpp",), ("apt:libyaml-cpp-dev",)),
    Library(r"CLI/.*", ("CLI11::CLI11",), ("apt:libcli11-dev",)),
    Library(r"fmt/.*", ("fmt::fmt",), ("apt:libfmt-dev",)),
    Library(r"spdlog/.*", ("spdlog::spdlog",), ("apt:libspdlog-dev",)),
    Library(r"openssl/.*", ("OpenSSL::Crypto", "OpenSSL::SSL"), ("apt:libssl-dev",)),
    Library(r"sqlite3\.h", ("SQLite::SQLite3",), ("apt:libsqlite3-dev",)),
    Library(r"zlib\.h", ("ZLIB::ZLIB",), ("apt:zlib1g-dev",)),
    Library(r"simdjson\.h", ("simdjson::simdjson",), ("apt:libsimdjson-dev",)),
    Library(r"roaring/.*", ("roaring::roaring",), ("apt:libroaring-dev",)),
    Library(r"re2/.*", ("PkgConfig::RE2", "${RE2_LINK_LIBRARIES}"), ("apt:libre2-dev",)),
    Library(r"boost/.*", ("Boost::headers", "Boost::system"), ("apt:libboost1.81-dev",)),
    Library(r"duckdb\.h", ("DuckDB::DuckDB",), ("npm:duckdb",)),
    Library(r"rapidcheck(/.*|\.h)", ("rapidcheck",), ("apt:librapidcheck-dev",)),
    Library(r"benchmark/.*", ("benchmark::benchmark",), ("apt:libbenchmark-dev",)),
    Library(r"g(test|mock)/.*", (), ("apt:libgtest-dev",)),
)

# Headers of the operating system: only the room that is the door to it may see them.
SYSTEM = re.compile(
    r"(sys|netinet|arpa|linux)/.*|(unistd|fcntl|dirent|pwd|grp|signal|poll|dlfcn|pthread|spawn|stdlib|netdb)\.h"
)
STANDARD = re.compile(r"[a-z_]+")
# Vector instructions, and headers that a room's CMakeLists.txt writes.
COMPILER = re.compile(r"[a-z]*mmintrin\.h|arm_neon\.h")


def library_of(header: str) -> Library | None:
    return next((library for library in LIBRARIES if re.fullmatch(library.headers, header)), None)
