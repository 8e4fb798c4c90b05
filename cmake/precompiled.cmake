# What nearly every file includes is read once for all of them: a quarter of the time of a clean build.
# Modules take it with target_precompile_headers(... REUSE_FROM ...); nothing may rely on it, so every
# file still includes what it uses.

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-fpch-preprocess)  # lets ccache see through the header
endif()

function(awry_precompile target)
  cmake_parse_arguments(PRECOMPILE "" "" "LIBS;HEADERS" ${ARGN})
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc "")
  add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc)
  target_link_libraries(${target} PRIVATE ${PRECOMPILE_LIBS})
  target_precompile_headers(${target} PRIVATE ${PRECOMPILE_HEADERS})
endfunction()

set(common_headers <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
awry_precompile(awry_precompiled LIBS dep_fmt dep_expected HEADERS ${common_headers})
if(AWRY_TESTS)
  awry_precompile(awry_test_precompiled LIBS dep_fmt dep_expected dep_gtest
                  HEADERS ${common_headers} <gmock/gmock.h> <gtest/gtest.h>)
endif()
