# The files of one folder are compiled together, eight at a time: what they include is parsed once, and templates of Eigen that several
# use are instantiated once. That halves the time of a build. Names in anonymous namespaces are therefore unique within a folder.
# The preset solver-only compiles every file on its own (`.ci/run --full`), so that a forgotten include shows.
option(STICTION_UNITY "Compile the files of a folder together" ON)

# stiction_unity(target FILES...): those that must stay alone have the property SKIP_UNITY_BUILD_INCLUSION.
function(stiction_unity target)
  if(NOT STICTION_UNITY)
    return()
  endif()
  # GCC looks through its memory whenever that has doubled, a twentieth of a compile of this size: it starts with more.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR part "${count_${group}} / 8 + 1")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP "${group}_${part}")
  endforeach()
endfunction()
