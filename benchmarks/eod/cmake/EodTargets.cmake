# Settings that all targets of the suite share. In the build of aiwc, the suite uses aiwc's compiler
# options and program folder; built by itself, it uses those defined here.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
  endif()
  # `eod` looks for the applications in its own folder, in the build tree as in an installation.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()

if(TARGET aiwc_build_flags)
  add_library(eod_build_flags ALIAS aiwc_build_flags)
else()
  add_library(eod_build_flags INTERFACE)
  target_compile_options(eod_build_flags INTERFACE -Wall -Wextra -Wpedantic)
endif()

# eod_once(<targets>...): does not optimise code that runs once per program, such as options, tables
# and reports. aiwc_once saves the compiler that work.
function(eod_once)
  if(COMMAND aiwc_once)
    aiwc_once(${ARGN})
  endif()
endfunction()

# A link makes `#include "eod/common/x.h"` find this folder, whatever its name is, and no folder
# next to it.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/eod SYMBOLIC)
configure_file(common/version.h.in ${PROJECT_BINARY_DIR}/generated/eod/common/version.h @ONLY)
add_library(eod_headers INTERFACE)
target_include_directories(eod_headers
  INTERFACE ${PROJECT_BINARY_DIR}/include ${PROJECT_BINARY_DIR}/generated)
