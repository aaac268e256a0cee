# The files of one folder are compiled together, twelve at the most, in equal parts: what they include is parsed once, and templates
# of Eigen that several use are instantiated once. That halves the time of a build. Names in anonymous namespaces are therefore unique
# within a folder.
# The preset solver-only compiles every file on its own (`.ci/run --full`), so that a forgotten include shows.
option(STICTION_UNITY "Compile the files of a folder together" ON)

# stiction_unity(target FILES...): those that must stay alone have the property SKIP_UNITY_BUILD_INCLUSION.
function(stiction_unity target)
  if(NOT STICTION_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(groups)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    list(APPEND groups ${group})
    list(APPEND files_${group} ${source})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH files_${group} count)
    math(EXPR parts "(${count} + 11) / 12")
    set(i 0)
    foreach(source IN LISTS files_${group})
      math(EXPR part "${i} * ${parts} / ${count} + 1")
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP "${group}_${part}")
      math(EXPR i "${i} + 1")
    endforeach()
  endforeach()
endfunction()
