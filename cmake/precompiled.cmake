# Most of a compile is parsing Eigen: it is done once per target. Every file still includes what it uses, so that the build
# without precompiled headers (STICTION_PRECOMPILE=OFF, run by the CI) stays whole.
option(STICTION_PRECOMPILE "Precompiled headers" ON)

function(stiction_precompile target)
  if(STICTION_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <limits> <map> <memory> <optional> <set> <sstream> <string>
                              <tuple> <utility> <variant> <vector> <Eigen/Dense> ${ARGN})
  endif()
endfunction()
