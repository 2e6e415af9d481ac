# Settings that all targets of the project share.

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
# The sanitizer's runtime, as a shared library. An instrumented library that is loaded into a
# program without instrumentation, as the plugin is into the simulator, needs this runtime
# preloaded.
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
  # By default, Clang links a copy of the runtime into every program, and none into loaded
  # libraries.
  list(APPEND flags -shared-libasan)
  get_filename_component(runtime_folder ${AIWC_SANITIZER_RUNTIME} DIRECTORY)
  set(CMAKE_BUILD_RPATH ${runtime_folder})
endif()
# A target property: check for address errors only. The tests have it, since undefined behaviour in
# their own code shows in their results, and checking for it doubles the time to compile them.
define_property(TARGET PROPERTY AIWC_ONLY_ADDRESS INITIALIZE_FROM_VARIABLE AIWC_ONLY_ADDRESS)
if(AIWC_SANITIZE)
  target_compile_options(aiwc_build_flags INTERFACE ${flags}
    $<$<BOOL:$<TARGET_PROPERTY:AIWC_ONLY_ADDRESS>>:-fno-sanitize=undefined>)
  target_link_options(aiwc_build_flags INTERFACE ${flags})
endif()

# aiwc_hot(<targets>...): optimises code that runs for every simulated instruction, or as often in
# the tests (for every character of a file, say), also in the sanitizer presets. Other code in these
# presets is not optimised, because that would take the compiler more time than it saves the tests.
function(aiwc_hot)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Sanitize>:-O1>)
  endforeach()
endfunction()

# aiwc_once(<targets>...): does not optimise code that runs once per program: options, tables, child
# processes. Optimising the libraries used there would take the compiler longer than it could ever
# save.
function(aiwc_once)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O0>)
  endforeach()
endfunction()

# aiwc_view(<target> <scope> <name> [<folder>]): lets a target include `"<name>/x.h"` of a folder, by
# default the current one, and nothing that lies beside it: its include directory contains only a
# link to this folder.
function(aiwc_view target scope name)
  set(folders ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  list(GET folders -1 folder)
  string(REPLACE "/" "_" view ${name})
  set(view ${PROJECT_BINARY_DIR}/include/${view})
  cmake_path(GET name PARENT_PATH parent)
  file(MAKE_DIRECTORY ${view}/${parent})
  file(CREATE_LINK ${folder} ${view}/${name} SYMBOLIC)
  target_include_directories(${target} ${scope} ${view})
endfunction()

# aiwc_library(<name> <sources>...): the static library of the current folder, aiwc_<name>. It can
# include `"<name>/x.h"` only from its own folder and from the libraries it links. So the build fails
# if an include violates the layers of docs/design.md.
function(aiwc_library name)
  add_library(aiwc_${name} STATIC ${ARGN})
  aiwc_view(aiwc_${name} PUBLIC ${name})
  target_link_libraries(aiwc_${name} PRIVATE aiwc_build_flags)
endfunction()
