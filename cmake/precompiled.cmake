# Most of a compile is parsing Eigen and our own central types: it is done once per target. Every file still includes what it uses;
# the preset solver-only builds without them (`.ci/run --full`), so that a forgotten include shows.
option(STICTION_PRECOMPILE "Precompiled headers" ON)

function(stiction_precompile target)
  if(STICTION_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <limits> <map> <memory> <optional> <set> <sstream> <string>
                              <tuple> <utility> <variant> <vector> <Eigen/Dense> ${ARGN})
  endif()
endfunction()
