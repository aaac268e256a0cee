# Warnings are errors for our own code; dependencies are included as system headers.
function(stiction_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused
                         -Woverloaded-virtual -Wdouble-promotion -Werror
                         -Wno-restrict)  # GCC 12 warns falsely about "literal" + std::string (GCC bug 105651)
  # No fused or reassociated arithmetic: results must not depend on the compiler's mood (bit-exact replay).
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno)
  if(STICTION_SANITIZE)
    # The instrumentation makes GCC 12 see uninitialised members inside <regex> that are not; the other builds keep the warning.
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
