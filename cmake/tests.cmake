# One executable for the solver trunk (no Pinocchio, no Coal), one for the engine. `./test` builds and runs them.
find_package(GTest REQUIRED)
add_custom_target(stiction_tests)

# Test files are compiled with -O1, which takes a third less. What they test is the library as it is shipped: its objects stand first on
# the line of the linker (stiction_tests), and the first copy of an inline function is the one that stays.
function(stiction_test_options target)
  stiction_warnings(${target})
  # At -O1 GCC 12 sees writes beyond the ends of strings that are added to each other, or not, by the length of a path.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow>)
  stiction_fewer_checks(${target})
endfunction()

# What several tests share and what is slow to compile: problems to solve, Eigen's factorisations as oracles. Compiled once.
file(GLOB support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cpp/support/*.cpp ${PROJECT_SOURCE_DIR}/tests/cpp/solver/*.cpp)
add_library(stiction_test_support STATIC ${support_sources})
target_include_directories(stiction_test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests/cpp)
target_link_libraries(stiction_test_support PUBLIC stiction_solver GTest::gtest)
target_compile_definitions(stiction_test_support PUBLIC STICTION_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
stiction_test_options(stiction_test_support)
stiction_unity(stiction_test_support ${support_sources})
stiction_precompile(stiction_test_support <gtest/gtest.h> <stiction/solver/core/solver.h>)

# stiction_tests(TARGET LIBRARIES FOLDERS...): one program of all tests in these folders.
function(stiction_tests target libraries)
  set(sources)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cpp/${folder}/*_test.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(sources)
    add_executable(${target} ${sources})
    if(NOT APPLE)
      list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
      list(JOIN archives " " archives)
      target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive ${archives} -Wl,--no-whole-archive")
    endif()
    target_link_libraries(${target} PRIVATE stiction_test_support ${libraries} GTest::gtest GTest::gtest_main)
    stiction_test_options(${target})
    stiction_unity(${target} ${sources})
    add_test(NAME ${target} COMMAND ${target})
    set_tests_properties(${target} PROPERTIES TIMEOUT 3600)  # sanitizers slow some solvers down by forty
    add_dependencies(stiction_tests ${target})
  endif()
endfunction()

if(STICTION_SANITIZE STREQUAL thread)  # what has threads
  stiction_tests(solver_tests stiction_solver base solver/sweep)
  stiction_tests(engine_tests "stiction_engine;stiction_solver" scene)
  return()
endif()
stiction_tests(solver_tests stiction_solver base cone problem solver)
if(TARGET solver_tests AND STICTION_PRECOMPILE)
  target_precompile_headers(solver_tests REUSE_FROM stiction_test_support)
endif()
if(NOT STICTION_SOLVER_ONLY)
  stiction_tests(engine_tests "stiction_engine;stiction_solver" geometry model dynamics law step sim scene analytic property golden)
  if(TARGET engine_tests)
    stiction_precompile(engine_tests <gtest/gtest.h> <stiction/sim/simulator.h>)
    # Pinocchio is the oracle of kernels and loaders
    target_link_libraries(engine_tests PRIVATE pinocchio::pinocchio_parsers pinocchio::pinocchio_collision coal::coal)
    target_compile_definitions(engine_tests PRIVATE STICTION_ROBOTS_DIR="${STICTION_CMEEL_PREFIX}/share/example-robot-data")
    set(oracles ${PROJECT_SOURCE_DIR}/tests/cpp)
    set_source_files_properties(${oracles}/model/urdf/loader_oracle_test.cpp ${oracles}/dynamics/derivatives/derivatives_oracle_test.cpp
                                PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endif()
