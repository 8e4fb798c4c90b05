# awry_module(NAME score USES base records LIBS dep_fmt)
#
# Declares the folder it is called from as one library, awry_<name>, of every .cc file in it, and one
# test program, awry_<name>_test, of every *_test.cc.
#   USES        the modules whose headers this one may include: tests/house checks every
#               #include "awry/..." against it
#   TEST_USES   modules that only its tests may include
#   LIBS        outside libraries, linked PRIVATE, so that a heavy header never leaks into another room
#   SUBFOLDERS  folders whose sources belong to the same library
#   EMBED       text files to carry inside the binary, each reached by its path relative to the folder:
#               std::optional<std::string_view> awry::<name>::embedded_file(std::string_view path)

include(GoogleTest)
define_property(GLOBAL PROPERTY AWRY_MODULES)

function(awry_module)
  cmake_parse_arguments(MODULE "" "NAME" "USES;LIBS;TEST_USES;TEST_LIBS;SUBFOLDERS;EMBED" ${ARGN})
  string(REPLACE "/" "_" target "awry_${MODULE_NAME}")
  set_property(GLOBAL APPEND_STRING PROPERTY AWRY_MODULES
               "${MODULE_NAME} : ${MODULE_USES} : ${MODULE_TEST_USES}\n")

  foreach(folder . ${MODULE_SUBFOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cc)
    list(APPEND sources ${found})
  endforeach()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main)\\.cc$")
  if(MODULE_EMBED)
    list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cc)
    awry_embed(${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cc ${MODULE_NAME} ${MODULE_EMBED})
  endif()

  list(TRANSFORM MODULE_USES REPLACE "/" "_" OUTPUT_VARIABLE uses)
  list(TRANSFORM uses PREPEND awry_)
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC ${uses} PRIVATE awry_warnings ${MODULE_LIBS})
    target_precompile_headers(${target} REUSE_FROM awry_precompiled)
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} INTERFACE ${uses})
  endif()

  if(AWRY_TESTS AND tests)
    list(TRANSFORM MODULE_TEST_USES REPLACE "/" "_" OUTPUT_VARIABLE test_uses)
    list(TRANSFORM test_uses PREPEND awry_)
    add_executable(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} ${test_uses} awry_warnings dep_gtest
                          ${MODULE_LIBS} ${MODULE_TEST_LIBS})
    target_precompile_headers(${target}_test REUSE_FROM awry_test_precompiled)
    # Only where it is used: elsewhere the folder's name would keep ccache from sharing between checkouts.
    foreach(test ${tests})
      file(STRINGS ${test} uses_folder REGEX "AWRY_MODULE_DIR|tiny_models_test\\.h" LIMIT_COUNT 1)
      if(uses_folder)
        set_property(SOURCE ${test} APPEND PROPERTY
                     COMPILE_DEFINITIONS AWRY_MODULE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
      endif()
    endforeach()
    gtest_discover_tests(${target}_test TEST_PREFIX "${MODULE_NAME}." DISCOVERY_MODE PRE_TEST
                         PROPERTIES TIMEOUT 120)
  endif()
endfunction()

# Turns text files into a .cc with one function that finds them by name.
function(awry_embed output module)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE depends)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DMODULE=${module} -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR}
            "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${depends} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
endfunction()
