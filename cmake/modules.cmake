# Two libraries. Sources are found by folder: a new file needs no edit here.
set(STICTION_SOLVER_MODULES base cone problem solver)
set(STICTION_ENGINE_MODULES geometry model dynamics law step sim scene)

function(stiction_library target)
  set(sources)
  foreach(module IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stiction/${module}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  add_library(${target} STATIC ${sources})
  add_library(stiction::${target} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} PUBLIC Eigen3::Eigen Threads::Threads)
  stiction_warnings(${target})
endfunction()

stiction_library(stiction_solver ${STICTION_SOLVER_MODULES})
if(NOT STICTION_SOLVER_ONLY)
  stiction_library(stiction_engine ${STICTION_ENGINE_MODULES})
  target_link_libraries(stiction_engine PUBLIC stiction_solver
                        PRIVATE pinocchio::pinocchio_parsers pinocchio::pinocchio_collision coal::coal)
endif()
