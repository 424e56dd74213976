# Finds the prebuilt DuckDB library and its C header, in DUCKDB_ROOT (variable or
# environment), else in the download cache that `./dev setup` fills.
# Only duckdb.h is made visible: its folder may also hold DuckDB's C++ headers.
set(_duckdb_hints ${DUCKDB_ROOT} $ENV{DUCKDB_ROOT} "$ENV{TENTER_CACHE}/duckdb" "$ENV{HOME}/.cache/tenter/duckdb")
find_path(DuckDB_HEADER_DIR duckdb.h HINTS ${_duckdb_hints} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(DuckDB_LIBRARY duckdb HINTS ${_duckdb_hints} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_path(DuckDB_LICENCES DuckDB.txt HINTS ${_duckdb_hints} PATH_SUFFIXES licences NO_DEFAULT_PATH)
mark_as_advanced(DuckDB_HEADER_DIR DuckDB_LIBRARY DuckDB_LICENCES)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB
  REQUIRED_VARS DuckDB_LIBRARY DuckDB_HEADER_DIR
  REASON_FAILURE_MESSAGE "run ./dev setup, or set DUCKDB_ROOT to a folder with include/duckdb.h and lib/libduckdb.so")
if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/duckdb_include")
  file(COPY_FILE "${DuckDB_HEADER_DIR}/duckdb.h" "${CMAKE_BINARY_DIR}/duckdb_include/duckdb.h" ONLY_IF_DIFFERENT)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES
    IMPORTED_LOCATION "${DuckDB_LIBRARY}"
    IMPORTED_SONAME libduckdb.so
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_BINARY_DIR}/duckdb_include")
endif()
