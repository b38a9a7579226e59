# One CMake target per module of modules.txt; a module links exactly the modules it may include.
# Beside x.cpp stand x_test.cpp (into ROOM_test), x_bench.cpp (ROOM_bench) and x_fuzz.cpp (a target each).

add_library(heddle_options INTERFACE)
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow
                       $<$<BOOL:${HEDDLE_WERROR}>:-Werror>
                       # GCC 12 at -O2 mistakes the frames of Asio's coroutines for this.
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>
                       # And at -O2 it sees both alternatives of a std::variant that is moved.
                       $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>
                       # Of several files in one it takes all but the first for headers.
                       $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${HEDDLE_UNITY}>>:-Wno-subobject-linkage>)
# No path of the machine that built it is in the program, and clones in other folders find in ccache
# what this one has compiled.
target_compile_options(heddle_options INTERFACE -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_compile_definitions(heddle_options INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION)
target_include_directories(heddle_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(heddle_options INTERFACE Boost::headers fmt::fmt Threads::Threads)

# Most of the time to compile a file goes into the headers that its neighbours need too: with
# HEDDLE_UNITY a few files at a time are compiled as one.
function(compile_together target files)
  if(HEDDLE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()

# compile_alone(files…): those whose unnamed namespace has names that a neighbour's has too.
function(compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# heddle_module(NAME LIBS third-party targets…): all sources of src/NAME become heddle_NAME.
function(heddle_module name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|_bench|_fuzz|/main)\\.cpp$")

  set(modules ${HEDDLE_MODULE_${name}})
  list(TRANSFORM modules PREPEND heddle_)
  set(present)
  foreach(module IN LISTS modules)
    if(TARGET ${module})
      list(APPEND present ${module})
    endif()
  endforeach()

  if(sources)
    add_library(heddle_${name} STATIC ${sources})
    target_link_libraries(heddle_${name} PUBLIC heddle_options ${present} ${ARG_LIBS})
    compile_together(heddle_${name} 6)
  else()
    add_library(heddle_${name} INTERFACE)
    target_link_libraries(heddle_${name} INTERFACE heddle_options ${present} ${ARG_LIBS})
  endif()
  if(HEDDLE_TESTS AND tests)
    heddle_test(${name}_test SOURCES ${tests} LIBS heddle_${name})
  endif()
  if(HEDDLE_BENCHES AND benches)
    add_executable(${name}_bench ${benches})
    target_link_libraries(${name}_bench heddle_${name} benchmark::benchmark_main)
  endif()
endfunction()

# heddle_test(NAME SOURCES … LIBS … PROPERTIES …): a GoogleTest program whose cases ctest runs one by one.
function(heddle_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS;PROPERTIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} ${ARG_LIBS} heddle_test_support GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  compile_together(${name} 4)
  separate_arguments(flags UNIX_COMMAND "${HEDDLE_TEST_FLAGS}")
  target_compile_options(${name} PRIVATE ${flags})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 300 ${ARG_PROPERTIES})
endfunction()

# What tests of several modules share (tests/support): a scripted web site, temporary folders, helpers.
if(HEDDLE_TESTS)
  file(GLOB support CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.cpp)
  add_library(heddle_test_support STATIC ${support})
  target_link_libraries(heddle_test_support PUBLIC heddle_base GTest::gtest ZLIB::ZLIB)
  target_include_directories(heddle_test_support PUBLIC ${CMAKE_SOURCE_DIR})
endif()

# Reads modules.txt into HEDDLE_MODULE_<name> and adds each module that has a folder, lowest first.
macro(add_all_modules)
  file(STRINGS ${CMAKE_SOURCE_DIR}/modules.txt lines REGEX "^[a-z]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/modules.txt)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ":.*" "" name "${line}")
    string(REGEX REPLACE "^[^:]*: *" "" deps "${line}")
    separate_arguments(HEDDLE_MODULE_${name} UNIX_COMMAND "${deps}")
    if(EXISTS ${CMAKE_SOURCE_DIR}/src/${name}/CMakeLists.txt)
      add_subdirectory(src/${name})
    endif()
  endforeach()
endmacro()
