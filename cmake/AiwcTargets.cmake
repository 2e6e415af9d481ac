# One place for what every target of the project has in common.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the static libraries end up in the plugin
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

add_library(aiwc_build_flags INTERFACE)
target_compile_options(aiwc_build_flags INTERFACE -Wall -Wextra -Wpedantic)
if(AIWC_WARNINGS_AS_ERRORS)
  target_compile_options(aiwc_build_flags INTERFACE -Werror)
endif()
if(AIWC_SANITIZE STREQUAL "address")
  set(flags -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined
            -fno-omit-frame-pointer)
  target_compile_definitions(aiwc_build_flags INTERFACE AIWC_ADDRESS_SANITIZER)
elseif(AIWC_SANITIZE STREQUAL "thread")
  set(flags -fsanitize=thread)
  target_compile_definitions(aiwc_build_flags INTERFACE AIWC_THREAD_SANITIZER)
elseif(AIWC_SANITIZE)
  message(FATAL_ERROR "AIWC_SANITIZE is '${AIWC_SANITIZE}': expected 'address' or 'thread'")
endif()
# The runtime of the sanitizer, a library of its own: what is instrumented and loaded into a program
# that is not, as the plugin is into the simulator, needs it preloaded.
set(AIWC_SANITIZER_RUNTIME "")
if(AIWC_SANITIZE)
  string(SUBSTRING ${AIWC_SANITIZE} 0 1 letter)
  set(runtime lib${letter}san.so)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(runtime libclang_rt.${letter}san-${CMAKE_SYSTEM_PROCESSOR}.so)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime}
                  OUTPUT_VARIABLE AIWC_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(AIWC_SANITIZE STREQUAL "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Its default is a copy of the runtime in every program, and none for what is loaded.
  list(APPEND flags -shared-libasan)
  get_filename_component(runtime_folder ${AIWC_SANITIZER_RUNTIME} DIRECTORY)
  set(CMAKE_BUILD_RPATH ${runtime_folder})
endif()
# What the tests do wrong themselves shows in their results. Their code is large, and to look for
# undefined behaviour in it doubles the time to compile it.
define_property(TARGET PROPERTY AIWC_ONLY_ADDRESS INITIALIZE_FROM_VARIABLE AIWC_ONLY_ADDRESS)
if(AIWC_SANITIZE)
  target_compile_options(aiwc_build_flags INTERFACE ${flags}
    $<$<BOOL:$<TARGET_PROPERTY:AIWC_ONLY_ADDRESS>>:-fno-sanitize=undefined>)
  target_link_options(aiwc_build_flags INTERFACE ${flags})
endif()

# aiwc_hot(<targets>...): what runs for every instruction that is simulated, or as often in the
# tests. The sanitizer presets do without optimisation, which takes the compiler more time than it
# saves the tests, but not here.
function(aiwc_hot)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Sanitize>:-O1>)
  endforeach()
endfunction()

# aiwc_once(<targets>...): options, tables, child processes, what a program does once. Optimising
# the libraries that these are written with takes the compiler longer than ever comes back.
function(aiwc_once)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O0>)
  endforeach()
endfunction()

# Libraries that no installed header or library needs: not installed, no component.
set(AIWC_INTERNAL_LIBRARIES session)

# aiwc_library(<folder> <sources>...): the static library of one folder of src/, aiwc_<folder>.
# It sees `#include "<folder>/x.h"` of itself and of the libraries it links, and of no others:
# that is what makes the build refuse an include against the arrows of docs/design.md.
function(aiwc_library folder)
  set(target aiwc_${folder})
  add_library(${target} STATIC ${ARGN})
  add_library(aiwc::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  # A program that links an installed library compiles its headers, whatever its own standard is.
  target_compile_features(${target} PUBLIC cxx_std_20)
  # The folder is reached through a directory that holds a link to it alone.
  set(view ${PROJECT_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${view}/${folder} SYMBOLIC)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${view}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:aiwc_build_flags>)
  if(NOT folder IN_LIST AIWC_INTERNAL_LIBRARIES)
    set_property(GLOBAL APPEND PROPERTY AIWC_LIBRARIES ${folder})
  endif()
endfunction()

# aiwc_public_headers(<folder> <headers>...): the headers of a library that are installed. A program
# outside includes them as <aiwc/<folder>/x.h>; the others of the folder it never sees. A path is
# relative to the current folder, or absolute for a header that the build generates.
function(aiwc_public_headers folder)
  foreach(header IN LISTS ARGN)
    if(IS_ABSOLUTE ${header})
      cmake_path(GET header FILENAME name)
    else()
      set(name ${header})
      set(header ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    endif()
    set_property(GLOBAL APPEND PROPERTY AIWC_PUBLIC_HEADERS ${folder}/${name})
    set_property(GLOBAL APPEND PROPERTY AIWC_PUBLIC_HEADER_FILES ${header})
  endforeach()
endfunction()
