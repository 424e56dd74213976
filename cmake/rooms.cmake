# tenter_room(NAME [FACE_USES room...] [USES room...] [THIRD_PARTY target...]
#             [TEST_USES room...] [TEST_THIRD_PARTY target...])
#
# One room = one static library from src/NAME/src, its face in src/NAME/include/NAME,
# its tests in src/NAME/test. It sees the faces of exactly the rooms it names:
# FACE_USES are those whose types appear in its own face, USES the rest. Include folders
# are not inherited through USES, so a wrong include does not compile. Each header of the
# face is also compiled alone, against FACE_USES only. TEST_USES and TEST_THIRD_PARTY are
# for the tests alone.
#
# What no compiler flag can hold (a third-party header in the system's include folder, a
# room that comes in through another's face) tools/check_house.py holds.

# A room may name only rooms that stand before it in TENTER_ALL_ROOMS.
function(tenter_check_order name)
  list(FIND TENTER_ALL_ROOMS ${name} own_place)
  if(own_place EQUAL -1)
    message(FATAL_ERROR "room '${name}' is not in TENTER_ALL_ROOMS (top CMakeLists.txt)")
  endif()
  foreach(used IN LISTS ARGN)
    list(FIND TENTER_ALL_ROOMS ${used} place)
    if(place EQUAL -1 OR NOT place LESS own_place)
      message(FATAL_ERROR "room '${name}' names '${used}', which does not stand below it: "
                          "TENTER_ALL_ROOMS (top CMakeLists.txt) lists the rooms lowest first")
    endif()
  endforeach()
endfunction()

function(tenter_room name)
  cmake_parse_arguments(ROOM "" "" "FACE_USES;USES;THIRD_PARTY;TEST_USES;TEST_THIRD_PARTY" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "room '${name}': unknown arguments ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  tenter_check_order(${name} ${ROOM_FACE_USES} ${ROOM_USES})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/${name}/*.h")

  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC include PRIVATE src)
  target_link_libraries(${name} PUBLIC ${ROOM_FACE_USES} PRIVATE tenter_flags ${ROOM_USES} ${ROOM_THIRD_PARTY})
  tenter_reuse_pch(${name})

  set(face_sources)
  foreach(header IN LISTS headers)
    get_filename_component(stem "${header}" NAME_WE)
    set(face_source "${CMAKE_CURRENT_BINARY_DIR}/face/${stem}.cpp")
    file(CONFIGURE OUTPUT "${face_source}" CONTENT "#include <${name}/${stem}.h>\n")
    list(APPEND face_sources "${face_source}")
  endforeach()
  if(face_sources)
    add_library(${name}_face OBJECT ${face_sources})
    target_include_directories(${name}_face PRIVATE include)
    target_link_libraries(${name}_face PRIVATE tenter_flags ${ROOM_FACE_USES})
  endif()

  file(GLOB tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/test/*.cpp")
  if(TENTER_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_include_directories(${name}_test PRIVATE src test)
    target_link_libraries(${name}_test PRIVATE tenter_flags ${name} ${ROOM_FACE_USES} ${ROOM_USES} ${ROOM_THIRD_PARTY}
                          ${ROOM_TEST_USES} ${ROOM_TEST_THIRD_PARTY} GTest::gtest GTest::gtest_main)
    tenter_reuse_pch(${name}_test)
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600)
    if(TENTER_TSAN)
      set_tests_properties(${name} PROPERTIES TIMEOUT 3000 ENVIRONMENT
                           "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tools/tsan.supp")
    endif()
  endif()
endfunction()
