# cmake --install build/release --prefix DIR: the program, the DuckDB library beside it, and the
# licences of both.
include(GNUInstallDirs)
find_package(DuckDB REQUIRED)
install(TARGETS tenter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES "${DuckDB_LIBRARY}" DESTINATION lib)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY licences/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences)
if(DuckDB_LICENCES)
  install(DIRECTORY "${DuckDB_LICENCES}/" DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences)
else()
  message(STATUS "No DuckDB licences in DUCKDB_ROOT/licences: an installed copy will lack them")
endif()
