# Every outside library, found once and given a dep_<name> target. Modules link these PRIVATE.
# The Debian packages behind them are listed in packages.txt.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(awry_pkg_dependency name)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${ARGN})
  add_library(dep_${name} INTERFACE)
  target_link_libraries(dep_${name} INTERFACE PkgConfig::${name})
endfunction()

function(awry_cmake_dependency name target)
  add_library(dep_${name} INTERFACE)
  target_link_libraries(dep_${name} INTERFACE ${target})
endfunction()

find_package(fmt REQUIRED)
awry_cmake_dependency(fmt fmt::fmt)
find_package(tl-expected REQUIRED)
awry_cmake_dependency(expected tl::expected)
find_package(nlohmann_json REQUIRED)
awry_cmake_dependency(json nlohmann_json::nlohmann_json)
find_package(CLI11 REQUIRED)
awry_cmake_dependency(cli11 CLI11::CLI11)
awry_cmake_dependency(threads Threads::Threads)

awry_pkg_dependency(simdjson simdjson)
awry_pkg_dependency(tomlplusplus tomlplusplus)
awry_pkg_dependency(utf8proc libutf8proc)
awry_pkg_dependency(crypto libcrypto)
awry_pkg_dependency(sqlite sqlite3)
awry_pkg_dependency(curl libcurl)
awry_pkg_dependency(jpeg libjpeg)
awry_pkg_dependency(png libpng)
awry_pkg_dependency(tiff libtiff-4)
awry_pkg_dependency(webp libwebp libwebpdemux)
awry_pkg_dependency(sentencepiece sentencepiece)

# OpenCV module by module: the package that brings OpenCVConfig.cmake also brings its image codecs,
# and with them GDAL and some 150 libraries that awry never wants to load.
find_path(OPENCV_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)
add_library(dep_opencv INTERFACE)
target_include_directories(dep_opencv SYSTEM INTERFACE ${OPENCV_INCLUDE_DIR})
foreach(module core imgproc flann features2d calib3d photo)
  find_library(OPENCV_${module}_LIBRARY opencv_${module} REQUIRED)
  target_link_libraries(dep_opencv INTERFACE ${OPENCV_${module}_LIBRARY})
endforeach()

# libtorch by its two libraries: TorchConfig.cmake takes seconds and adds flags that nobody asked for. It is
# the one library that may be missing; inspectors/networks says what then does not work. clang cannot read its
# headers as C++20.
find_path(TORCH_INCLUDE_DIR ATen/ATen.h)
find_library(TORCH_CPU_LIBRARY torch_cpu)
find_library(C10_LIBRARY c10)
if(TORCH_INCLUDE_DIR AND TORCH_CPU_LIBRARY AND C10_LIBRARY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_library(dep_torch INTERFACE)
  target_include_directories(dep_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIR})
  target_link_libraries(dep_torch INTERFACE ${TORCH_CPU_LIBRARY} ${C10_LIBRARY})
else()
  message(STATUS "libtorch (libtorch-dev) was not found: BERTScore will not be available")
endif()

if(AWRY_TESTS)
  find_package(GTest REQUIRED)
  awry_cmake_dependency(gtest GTest::gmock)
  target_link_libraries(dep_gtest INTERFACE GTest::gtest GTest::gtest_main)
endif()
