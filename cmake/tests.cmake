# One executable for the solver trunk (no Pinocchio, no Coal), one for the engine. `./test` builds and runs them.
find_package(GTest REQUIRED)
add_custom_target(stiction_tests)

# What several tests share and what is slow to compile: problems to solve, Eigen's factorisations as oracles. Compiled once.
file(GLOB support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cpp/support/*.cpp ${PROJECT_SOURCE_DIR}/tests/cpp/solver/*.cpp)
add_library(stiction_test_support STATIC ${support_sources})
target_include_directories(stiction_test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests/cpp)
target_link_libraries(stiction_test_support PUBLIC stiction_solver)
stiction_warnings(stiction_test_support)
stiction_unity(stiction_test_support ${support_sources})

function(stiction_tests target library)
  set(sources)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cpp/${folder}/*_test.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(sources)
    add_executable(${target} ${sources})
    target_link_libraries(${target} PRIVATE stiction_test_support ${library} GTest::gtest GTest::gtest_main)
    target_compile_definitions(${target} PRIVATE STICTION_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    stiction_warnings(${target})
    stiction_unity(${target} ${sources})
    stiction_precompile(${target} <gtest/gtest.h> <stiction/solver/core/solver.h>)
    stiction_fewer_checks(${target})
    add_test(NAME ${target} COMMAND ${target})
    set_tests_properties(${target} PROPERTIES TIMEOUT 3600)  # sanitizers slow some solvers down by forty
    add_dependencies(stiction_tests ${target})
  endif()
endfunction()

if(STICTION_SANITIZE STREQUAL thread)  # what has threads
  stiction_tests(solver_tests stiction_solver base solver/sweep)
  stiction_tests(engine_tests stiction_engine scene)
  return()
endif()
stiction_tests(solver_tests stiction_solver base cone problem solver)
if(NOT STICTION_SOLVER_ONLY)
  stiction_tests(engine_tests stiction_engine geometry model dynamics law step sim scene analytic property golden)
  if(TARGET engine_tests)  # Pinocchio is the oracle of kernels and loaders
    target_link_libraries(engine_tests PRIVATE pinocchio::pinocchio_parsers pinocchio::pinocchio_collision coal::coal)
    target_compile_definitions(engine_tests PRIVATE STICTION_ROBOTS_DIR="${STICTION_CMEEL_PREFIX}/share/example-robot-data")
    set(oracles ${PROJECT_SOURCE_DIR}/tests/cpp)
    set_source_files_properties(${oracles}/model/urdf/loader_oracle_test.cpp ${oracles}/dynamics/derivatives/derivatives_oracle_test.cpp
                                PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endif()
