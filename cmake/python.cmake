# The Python extension stiction._core (python/src, nanobind), its type stub and the models, installed as component
# `python`: what scikit-build-core puts into the wheel beside the files of python/stiction.
find_package(Python 3.10 COMPONENTS Interpreter Development.Module REQUIRED)
# From CPython 3.12 on one compile serves all later versions (`wheel.py-api` in pyproject.toml says the same). docs/install.md tells
# what it costs.
option(STICTION_STABLE_ABI "Use the stable ABI of CPython 3.12 where there is one" ON)
set(stable_abi)
if(STICTION_STABLE_ABI AND Python_VERSION VERSION_GREATER_EQUAL 3.12)
  if(NOT TARGET Python::SABIModule)  # nanobind asks for it. CMake makes it from 3.26 on; outside of Windows it links nothing
    add_library(Python::SABIModule INTERFACE IMPORTED)
  endif()
  set(stable_abi STABLE_ABI)
endif()
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

file(GLOB binding_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cpp)
# NOMINSIZE: the linker keeps one copy of every inline function; one compiled for size here would slow the engine down.
nanobind_add_module(_core ${stable_abi} NB_STATIC NOMINSIZE NB_SUPPRESS_WARNINGS ${binding_sources})
if(STICTION_UNITY)  # in the order of its own nb_combined.cpp
  foreach(library nanobind-static nanobind-static-abi3)
    if(TARGET ${library})
      set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
  endforeach()
endif()
target_include_directories(_core PRIVATE ${PROJECT_SOURCE_DIR}/python/src)
target_link_libraries(_core PRIVATE stiction_engine)
# Calls within the module go straight to their function, not through a table that another library might change.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  target_link_options(_core PRIVATE -Wl,-Bsymbolic-functions)
endif()
target_compile_definitions(_core PRIVATE STICTION_VERSION="${PROJECT_VERSION}")
stiction_warnings(_core)
stiction_fewer_checks(_core)
stiction_unity(_core ${binding_sources})
stiction_precompile(_core <nanobind/nanobind.h> <nanobind/ndarray.h> <nanobind/stl/string.h> <nanobind/stl/vector.h> <nanobind/stl/optional.h>
                    <stiction/sim/simulator.h>)

# In the build tree the real place of the libraries; installed, the cmeel prefix of the same site-packages.
set_target_properties(_core PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python
  INSTALL_RPATH "$ORIGIN/../cmeel.prefix/lib")

# Signatures name stiction.options. An installed stiction would load a second _core into the same interpreter, which aborts:
# an empty package stands before it.
file(WRITE ${PROJECT_BINARY_DIR}/stub_path/stiction/__init__.py "")
file(WRITE ${PROJECT_BINARY_DIR}/stub_path/stiction/options.py "")
nanobind_add_stub(_core_stub MODULE _core OUTPUT ${PROJECT_BINARY_DIR}/python/_core.pyi
                  PYTHON_PATH ${PROJECT_BINARY_DIR}/python ${PROJECT_BINARY_DIR}/stub_path DEPENDS _core)
add_custom_target(stiction_python DEPENDS _core _core_stub)  # all that the wheel needs, and nothing else

install(TARGETS _core LIBRARY DESTINATION stiction COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_BINARY_DIR}/python/_core.pyi DESTINATION stiction COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION stiction/models COMPONENT python EXCLUDE_FROM_ALL)
