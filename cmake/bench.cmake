# Timing programs of bench/*.cpp, one executable stiction_bench_<name> each. They need the solver library only; one with
# a folder of its own name beside it (more sources) also gets the engine and Pinocchio.
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cpp)
foreach(source IN LISTS bench_sources)
  get_filename_component(bench_name ${source} NAME_WE)
  set(bench_folder ${PROJECT_SOURCE_DIR}/bench/${bench_name})
  if(IS_DIRECTORY ${bench_folder} AND STICTION_SOLVER_ONLY)
    continue()
  endif()
  file(GLOB more_sources CONFIGURE_DEPENDS ${bench_folder}/*.cpp)
  add_executable(stiction_bench_${bench_name} ${source} ${more_sources})
  target_link_libraries(stiction_bench_${bench_name} PRIVATE stiction_solver)
  if(IS_DIRECTORY ${bench_folder})
    target_link_libraries(stiction_bench_${bench_name} PRIVATE stiction_engine pinocchio::pinocchio_default
                          pinocchio::pinocchio_parsers coal::coal)
    target_compile_definitions(stiction_bench_${bench_name} PRIVATE
      STICTION_ROBOTS_DIR="${STICTION_CMEEL_PREFIX}/share/example-robot-data")
  endif()
  stiction_warnings(stiction_bench_${bench_name})
  # GCC 12 sees uninitialised members inside Pinocchio's solvers when they are inlined; the headers are not ours.
  if(IS_DIRECTORY ${bench_folder})
    target_compile_options(stiction_bench_${bench_name} PRIVATE -Wno-maybe-uninitialized)
  endif()
endforeach()
