# Flags that every target shares. They sit on one INTERFACE target so that the
# precompiled header and all rooms are compiled alike.
option(TENTER_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(TENTER_TSAN "ThreadSanitizer" OFF)
option(TENTER_FUZZ "libFuzzer and its instrumentation; needs clang" OFF)
option(TENTER_WERROR "warnings are errors" OFF)
option(TENTER_PCH "precompile the standard headers" ON)

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_INSTALL_RPATH "$ORIGIN:$ORIGIN/../lib")

# -pthread stands here because a flag that only one room has would part it from the shared header.
add_library(tenter_flags INTERFACE)
target_link_options(tenter_flags INTERFACE -pthread)
target_compile_options(tenter_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wno-missing-field-initializers -pthread
  $<$<CONFIG:Debug>:-g1>
  $<$<CONFIG:RelWithDebInfo>:-g1>)
# GCC 12 reports impossible overruns inside its own std::string when it optimises.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tenter_flags INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                         -Wno-stringop-overread -Wno-maybe-uninitialized)
endif()
if(TENTER_WERROR)
  target_compile_options(tenter_flags INTERFACE -Werror)
endif()
if(TENTER_SANITIZE)
  target_compile_options(tenter_flags INTERFACE -O1 -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(tenter_flags INTERFACE -fsanitize=address,undefined)
endif()
if(TENTER_TSAN)
  target_compile_options(tenter_flags INTERFACE -O1 -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(tenter_flags INTERFACE -fsanitize=thread)
endif()
if(TENTER_FUZZ)
  target_compile_options(tenter_flags INTERFACE -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(tenter_flags INTERFACE -fsanitize=address,undefined)
endif()
find_program(TENTER_MOLD mold)
if(TENTER_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  target_link_options(tenter_flags INTERFACE -fuse-ld=mold)
endif()

find_program(TENTER_CCACHE ccache)
if(TENTER_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TENTER_CCACHE}")
endif()

# GCC records -fpch-preprocess into what the compiler cache hashes: without it no file that uses
# the precompiled header is ever found again.
if(TENTER_PCH)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/pch.cpp"
       CONTENT "// Carries the precompiled header that the rooms share.\n")
  add_library(tenter_pch OBJECT "${CMAKE_BINARY_DIR}/pch.cpp")
  target_link_libraries(tenter_pch PRIVATE tenter_flags)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(tenter_flags INTERFACE -fpch-preprocess)
  endif()
  target_precompile_headers(tenter_pch PRIVATE
    <algorithm> <array> <atomic> <charconv> <cstdint> <cstring> <expected> <functional> <map>
    <memory> <mutex> <optional> <set> <span> <string> <string_view> <unordered_map>
    <unordered_set> <utility> <variant> <vector>)
endif()

function(tenter_reuse_pch target)
  if(TENTER_PCH)
    target_precompile_headers(${target} REUSE_FROM tenter_pch)
  endif()
endfunction()
