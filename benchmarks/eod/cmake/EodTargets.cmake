# What every target of the suite has in common. In the build of aiwc, the suite takes aiwc's compiler
# options and folder of programs; alone, it has these of its own.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
  endif()
  # `eod` looks for the applications beside itself, in the build tree as where they are installed.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()

if(TARGET aiwc_build_flags)
  add_library(eod_build_flags ALIAS aiwc_build_flags)
else()
  add_library(eod_build_flags INTERFACE)
  target_compile_options(eod_build_flags INTERFACE -Wall -Wextra -Wpedantic)
endif()

# eod_once(<targets>...): options, tables, reports, what a program does once. aiwc_once spares the
# compiler the work of optimising it.
function(eod_once)
  if(COMMAND aiwc_once)
    aiwc_once(${ARGN})
  endif()
endfunction()

# `#include "eod/common/x.h"` finds this folder, whatever its name is, through a link, and nothing
# that is beside the folder.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/eod SYMBOLIC)
configure_file(common/version.h.in ${PROJECT_BINARY_DIR}/generated/eod/common/version.h @ONLY)
add_library(eod_headers INTERFACE)
target_include_directories(eod_headers
  INTERFACE ${PROJECT_BINARY_DIR}/include ${PROJECT_BINARY_DIR}/generated)
