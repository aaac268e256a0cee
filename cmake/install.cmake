# cmake --install: headers, the two libraries, the models and find_package(stiction [COMPONENTS solver engine]).
include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/stiction)

set(installed_modules ${STICTION_SOLVER_MODULES})
install(TARGETS stiction_solver EXPORT solver ARCHIVE DESTINATION lib)
install(EXPORT solver NAMESPACE stiction:: FILE stiction-solver.cmake DESTINATION ${package_dir})
if(NOT STICTION_SOLVER_ONLY)
  list(APPEND installed_modules ${STICTION_ENGINE_MODULES})
  install(TARGETS stiction_engine EXPORT engine ARCHIVE DESTINATION lib)
  install(EXPORT engine NAMESPACE stiction:: FILE stiction-engine.cmake DESTINATION ${package_dir})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION share/stiction/models)
endif()
# Headers that show Pinocchio, Coal or Boost, or include such a header, are private to their module
# (tools/check_layers.py sees to it) and stay here.
foreach(module IN LISTS installed_modules)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/stiction/${module}/*.h)
  set(private "(pinocchio|coal|boost)/[^>]*")
  foreach(pass RANGE 1 3)
    foreach(header IN LISTS headers)
      file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} foreign REGEX "#include <(${private})>")
      if(foreign)
        list(REMOVE_ITEM headers ${header})
        string(APPEND private "|${header}")
      endif()
    endforeach()
  endforeach()
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION include/${folder})
  endforeach()
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stiction-config.cmake.in
                              ${PROJECT_BINARY_DIR}/stiction-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stiction-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stiction-config.cmake ${PROJECT_BINARY_DIR}/stiction-config-version.cmake
        DESTINATION ${package_dir})
