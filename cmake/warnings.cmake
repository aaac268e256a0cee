# Warnings of our own code; dependencies are included as system headers. They are errors in the presets and in the CI, not for
# people whose compiler is newer than ours.
option(STICTION_WARNINGS_AS_ERRORS "Stop at the first warning" OFF)

# Under the address sanitizer: checks of every reference in the templates of GoogleTest, Eigen and Pinocchio take two thirds of a compile.
# The solver library keeps them.
function(stiction_fewer_checks target)
  if(STICTION_SANITIZE STREQUAL address)
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr)
  endif()
endfunction()

function(stiction_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused
                         -Woverloaded-virtual -Wdouble-promotion
                         # GCC 12 warns falsely about "literal" + std::string (GCC bug 105651)
                         -Wno-restrict -Wno-stringop-overflow
                         $<$<BOOL:${STICTION_WARNINGS_AS_ERRORS}>:-Werror>)
  # No fused or reassociated arithmetic: results must not depend on the compiler's mood (bit-exact replay).
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno)
  if(STICTION_SANITIZE STREQUAL address)
    # Eigen has an allocator of its own under this sanitizer. Wheels of others (Pinocchio, Coal) hold matrices of the usual one,
    # and what one side takes the other gives back.
    target_compile_definitions(${target} PUBLIC EIGEN_MALLOC_ALREADY_ALIGNED=1)
    # The instrumentation makes GCC 12 see uninitialised members inside <regex> that are not; the other builds keep the warning.
    # A check that fails ends the program: half the code, and half the time to compile it, of checks after which it goes on.
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
                           -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  elseif(STICTION_SANITIZE STREQUAL thread)
    target_compile_options(${target} PRIVATE -fsanitize=thread -fno-omit-frame-pointer -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=thread)
  elseif(STICTION_SANITIZE)
    message(FATAL_ERROR "STICTION_SANITIZE is ${STICTION_SANITIZE}; expected address or thread")
  endif()
endfunction()
