# Eigen, Pinocchio and Coal come as wheels from PyPI (requirements/run.txt); the interpreter knows where they are.
# Libraries installed elsewhere are found through CMAKE_PREFIX_PATH; then no Python is needed.
find_package(Python 3.10 COMPONENTS Interpreter)
if(Python_Interpreter_FOUND)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "import importlib.util as u, pathlib as p; s = u.find_spec('cmeel'); print(p.Path(s.origin).parent.parent / 'cmeel.prefix' if s else '')"
    OUTPUT_VARIABLE STICTION_CMEEL_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(STICTION_CMEEL_PREFIX)
    list(PREPEND CMAKE_PREFIX_PATH ${STICTION_CMEEL_PREFIX})
  endif()
endif()

# The libraries' names carry no version, so one exact version is asked for at build time and at run time.
set(STICTION_PINOCCHIO_VERSION 4.1.0)
set(STICTION_COAL_VERSION 3.0.3)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
if(NOT STICTION_SOLVER_ONLY)
  set(Boost_NO_WARN_NEW_VERSIONS ON)  # the wheels' Boost is newer than CMake's FindBoost
  find_package(pinocchio ${STICTION_PINOCCHIO_VERSION} EXACT REQUIRED)
  find_package(coal ${STICTION_COAL_VERSION} EXACT REQUIRED)
endif()
