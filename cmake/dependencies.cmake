# Eigen, Pinocchio and Coal come as wheels from PyPI; the interpreter knows where they are.
find_package(Python 3.10 COMPONENTS Interpreter REQUIRED)
execute_process(
  COMMAND ${Python_EXECUTABLE} -c "import importlib.util as u, pathlib as p; s = u.find_spec('cmeel'); print(p.Path(s.origin).parent.parent / 'cmeel.prefix' if s else '')"
  OUTPUT_VARIABLE STICTION_CMEEL_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)
if(STICTION_CMEEL_PREFIX)
  list(PREPEND CMAKE_PREFIX_PATH ${STICTION_CMEEL_PREFIX})
endif()

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
if(NOT STICTION_SOLVER_ONLY)
  find_package(pinocchio 4.1 REQUIRED COMPONENTS pinocchio_parsers pinocchio_collision)
  find_package(coal 3.0 REQUIRED)
endif()
