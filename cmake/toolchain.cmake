# Compiler cache, linker, warnings and sanitizers: how code is built, not what is built.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without this sloppiness ccache refuses to work beside precompiled headers; the base folder lets several
  # build folders share what it keeps.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

if(AWRY_SANITIZE)
  add_compile_options(-fsanitize=${AWRY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${AWRY_SANITIZE})
endif()

# Only our own targets link this, so third-party headers are never judged by our rules.
add_library(awry_warnings INTERFACE)
target_compile_options(awry_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi
  # g++ 12 misreads moved strings inlined from its own library: uninitialised, out of bounds, overlapping.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                           -Wno-stringop-overread -Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers -Wno-missing-field-initializers>)
if(AWRY_WARNINGS_AS_ERRORS)
  target_compile_options(awry_warnings INTERFACE -Werror)
endif()
