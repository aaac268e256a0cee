# Two libraries. Sources are found by folder: a new file needs no edit here.
#   stiction::solver    base cone problem solver; Eigen is its one dependency
#   stiction::stiction  the engine on top of it; Pinocchio and Coal stay inside its .cpp files
set(STICTION_SOLVER_MODULES base cone problem solver)
set(STICTION_ENGINE_MODULES geometry model dynamics law step sim scene)

# The libraries do not depend on Python: wheels of several versions take them from one build (tools/check_wheel.py --python).
set(STICTION_PREBUILT "" CACHE PATH "Folder of a build whose libraries are linked instead of compiled")
if(STICTION_PREBUILT)
  foreach(library solver engine)
    add_library(stiction_${library} STATIC IMPORTED)
    set_target_properties(stiction_${library} PROPERTIES IMPORTED_LOCATION ${STICTION_PREBUILT}/libstiction_${library}.a)
    target_compile_features(stiction_${library} INTERFACE cxx_std_20)
    target_include_directories(stiction_${library} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(stiction_${library} INTERFACE Eigen3::Eigen Threads::Threads)
  endforeach()
  target_link_libraries(stiction_engine INTERFACE stiction_solver pinocchio::pinocchio_parsers
                        pinocchio::pinocchio_collision coal::coal)
  return()
endif()

function(stiction_library target export_name)
  set(sources)
  foreach(module IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/stiction/${module}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  add_library(${target} STATIC ${sources})
  add_library(stiction::${export_name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name} LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} PUBLIC Eigen3::Eigen Threads::Threads)
  stiction_warnings(${target})
  stiction_unity(${target} ${sources})
endfunction()

stiction_library(stiction_solver solver ${STICTION_SOLVER_MODULES})
stiction_precompile(stiction_solver <stiction/solver/core/solver.h>)
if(NOT STICTION_SOLVER_ONLY)
  stiction_library(stiction_engine stiction ${STICTION_ENGINE_MODULES})
  stiction_precompile(stiction_engine <stiction/step/core/simulation_model.h>)
  stiction_fewer_checks(stiction_engine)
  # __FILE__ will not do: compiler caches and reproducible builds make it relative.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/stiction/scene/core/model_path.cpp PROPERTIES
                              SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS STICTION_SOURCE_MODELS="${PROJECT_SOURCE_DIR}/models")
  # One file per instruction set (dynamics/lanes), which shares no inline function with others.
  set(lanes ${PROJECT_SOURCE_DIR}/src/stiction/dynamics/lanes)
  set_source_files_properties(${lanes}/lanes_sse2.cpp ${lanes}/lanes_avx2.cpp ${lanes}/lanes_avx512.cpp ${lanes}/rows_avx2.cpp
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64" AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    set_property(SOURCE ${lanes}/lanes_avx2.cpp ${lanes}/rows_avx2.cpp PROPERTY COMPILE_OPTIONS -mavx2)
    set_property(SOURCE ${lanes}/lanes_avx512.cpp PROPERTY COMPILE_OPTIONS -mavx512f -mavx512dq)
  endif()
  # Not pinocchio::pinocchio, which drags in OpenMP.
  target_link_libraries(stiction_engine PUBLIC stiction_solver
                        PRIVATE pinocchio::pinocchio_parsers pinocchio::pinocchio_collision coal::coal)
  # Pinocchio wants to be included before Boost's and Eigen's headers.
  set(foreign ${PROJECT_SOURCE_DIR}/src/stiction)
  set_source_files_properties(${foreign}/model/urdf/pinocchio_loader.cpp ${foreign}/geometry/coal_bridge.cpp
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endif()
