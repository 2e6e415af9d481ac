# Installs into a fresh prefix, characterises a kernel with what was installed there, and reads the
# profile with programs that find the C API through find_package and pkg-config.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/profiles ${WORK}/run)
set(prefix "${WORK}/a prefix") # with a space, as users have them
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
set(pages man1/aiwc.1 man7/oclgrind-aiwc.7)
if(BENCHMARKS) # the suite installs its own
  list(APPEND pages man1/eod.1)
endif()
foreach(page IN LISTS pages)
  if(NOT EXISTS "${prefix}/share/man/${page}")
    message(FATAL_ERROR "${page} was not installed")
  endif()
endforeach()

if(NOT EXISTS "${prefix}/share/bash-completion/completions/aiwc")
  message(FATAL_ERROR "bash-completion/completions/aiwc was not installed")
endif()

run("${prefix}/bin/aiwc" devices show gtx1080 --json)
file(READ "${prefix}/share/aiwc/devices/gtx1080.json" device)
if(NOT output STREQUAL device)
  message(FATAL_ERROR "the installed aiwc said of an installed device: ${output}")
endif()

# The installed Python package finds the installed library, which finds the installed devices.
if(EXISTS /usr/bin/python3)
  run(${CMAKE_COMMAND} -E env --unset=AIWC_LIBRARY --unset=AIWC_DEVICES "PYTHONPATH=${prefix}/lib/python3/dist-packages" /usr/bin/python3 -c
      "import aiwc\nprint(aiwc._library._path(), aiwc.devices('gtx1080')[0].id)")
  if(NOT output MATCHES "a prefix/.*/libaiwc.so.0 gtx1080\n$")
    message(FATAL_ERROR "the installed Python package said: ${output}")
  endif()
endif()

# The documents' links lead somewhere.
file(GLOB_RECURSE documents "${prefix}/share/doc/aiwc/*.md")
set(checked 0)
foreach(document IN LISTS documents)
  cmake_path(GET document PARENT_PATH folder)
  file(READ "${document}" text)
  string(REPLACE "](" "link=" text "${text}") # a bracket in a list keeps what follows together
  string(REGEX MATCHALL "link=[^][();#: \n]+" links "${text}")
  list(FILTER links EXCLUDE REGEX "^link=https?$")
  foreach(link IN LISTS links)
    string(SUBSTRING "${link}" 5 -1 link)
    if(NOT EXISTS "${folder}/${link}")
      message(FATAL_ERROR "${document} links to ${link}, which is not installed")
    endif()
    math(EXPR checked "${checked} + 1")
  endforeach()
endforeach()
if(checked LESS 40)
  message(FATAL_ERROR "the installed documents have ${checked} links to each other: expected more")
endif()

# What is installed for programs of others is the C API and the library for StarPU, and for those in
# CUDA the headers of CUDA.
file(GLOB_RECURSE headers RELATIVE "${prefix}" "${prefix}/*.h" "${prefix}/*.hpp")
list(FILTER headers EXCLUDE REGEX "^share/doc/aiwc/examples/")
list(FILTER headers EXCLUDE REGEX "/aiwc/cuda/include/")
list(REMOVE_ITEM headers include/aiwc_starpu.h)
if(NOT headers STREQUAL "include/aiwc.h")
  message(FATAL_ERROR "the headers ${headers} were installed: expected include/aiwc.h")
endif()
file(GLOB_RECURSE archives RELATIVE "${prefix}" "${prefix}/*.a")
if(archives)
  message(FATAL_ERROR "the static libraries ${archives} were installed: expected none")
endif()

# A project in C, by CMake and by pkg-config, and one in C++ need nothing but what was installed.
set(find_package -DFINDER=cmake "-DCMAKE_PREFIX_PATH=${prefix}" -DVERSION=${VERSION}
                 -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
set(cmake -S ${CONSUMERS}/c_consumer ${find_package})
set(pkg-config -S ${CONSUMERS}/c_consumer -DFINDER=pkg-config
               "-DPKG_CONFIG_FOLDER=${prefix}/${LIBDIR}/pkgconfig")
set(cxx -S ${CONSUMERS}/cxx_consumer ${find_package})
foreach(kind IN ITEMS cmake pkg-config cxx)
  run(${CMAKE_COMMAND} ${${kind}} -B ${WORK}/${kind} -DEXAMPLES=${EXAMPLES}
      -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX} -G Ninja)
  run(${CMAKE_COMMAND} --build ${WORK}/${kind})
endforeach()

if(PLUGIN)
  file(COPY ${KERNELS} DESTINATION ${WORK})
  execute_process(
    COMMAND "${prefix}/bin/oclgrind" --aiwc --aiwc-quiet --aiwc-output ${WORK}/profiles
            oclgrind-kernel saxpy.sim
    WORKING_DIRECTORY ${WORK}/kernels RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_QUIET)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the installed launcher ended with ${status}:\n${errors}")
  endif()
  run("${prefix}/bin/aiwc" show ${WORK}/profiles)
  run(${CMAKE_COMMAND} -E chdir ${WORK}/kernels
      "${prefix}/bin/aiwc" run --quiet --output ${WORK}/run -- oclgrind-kernel saxpy.sim)
  run("${prefix}/bin/aiwc" show ${WORK}/run/aiwc_saxpy_0.json)
  run("${prefix}/bin/aiwc" kernel ${WORK}/kernels/saxpy.cl --global 64 --arg auto --quiet
      --output ${WORK}/kernel-run)
  run("${prefix}/bin/aiwc" show ${WORK}/kernel-run/aiwc_saxpy_0.json)
  if(EXISTS "${prefix}/libexec/aiwc/aiwc-cuda-device")
    run("${prefix}/bin/aiwc" build -- nvcc ${EXAMPLES}/cuda/transpose.cu -o ${WORK}/transpose)
    run("${prefix}/bin/aiwc" run --quiet --output ${WORK}/cuda-run -- ${WORK}/transpose 64)
    run("${prefix}/bin/aiwc" show ${WORK}/cuda-run/aiwc_transpose_0.json)
  endif()
  run(${WORK}/cxx/cxx_consumer ${WORK}/profiles/aiwc_saxpy_0.json)
  if(NOT output STREQUAL "saxpy\n")
    message(FATAL_ERROR "the program in C++ said: ${output}")
  endif()

  # To write bitcode takes LLVM, in a module that is found from the program; to read it does not.
  run(${CLANG} -x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header -O1
      -emit-llvm -c ${KERNELS}/saxpy.cl -o ${WORK}/saxpy.bc)
  run("${prefix}/bin/aiwc" annotate embed ${WORK}/profiles --into ${WORK}/saxpy.bc)
  run("${prefix}/bin/aiwc" annotate lookup --strict --kernel saxpy ${WORK}/saxpy.bc)
  if(NOT output MATCHES "saxpy.bc: byte [0-9]+\nsaxpy, invocation 0: ")
    message(FATAL_ERROR "the installed aiwc said of annotated bitcode: ${output}")
  endif()
  run(ldd "${prefix}/bin/aiwc")
  if(output MATCHES "LLVM")
    message(FATAL_ERROR "the installed aiwc loads LLVM: ${output}")
  endif()
  file(REMOVE "${prefix}/${LIBDIR}/aiwc/aiwc_bitcode.so")
  set(ENV{AIWC_BITCODE} "${prefix}/none.so") # or one that was installed before would be found
  run("${prefix}/bin/aiwc" annotate lookup --strict --kernel saxpy ${WORK}/saxpy.bc)
  execute_process(COMMAND "${prefix}/bin/aiwc" annotate strip ${WORK}/saxpy.bc RESULT_VARIABLE status
                  ERROR_VARIABLE errors)
  if(NOT status EQUAL 2 OR NOT errors MATCHES "saxpy.bc: [^\n]*none.so: cannot be opened: [^\n]*\n$")
    message(FATAL_ERROR "without the module, aiwc annotate strip ended with ${status}: ${errors}")
  endif()

  # The devices are found beside the library, though the prefix is not the configured one.
  file(GLOB devices "${prefix}/share/aiwc/devices/*.json")
  list(LENGTH devices count)
  foreach(kind IN ITEMS cmake pkg-config)
    run(${WORK}/${kind}/choose ${WORK}/profiles/aiwc_saxpy_0.json)
    if(NOT output MATCHES "^saxpy on [1-9][0-9]* of ${count} devices\n.* us [^\n]*, most of it ")
      message(FATAL_ERROR "choose, built with ${kind}, said: ${output}")
    endif()
  endforeach()
  # A kernel that carries its profiles, as the installed commands put them there.
  file(COPY ${EXAMPLES}/pick_device/scale.cl DESTINATION ${WORK})
  foreach(kind IN ITEMS cmake pkg-config)
    execute_process(
      COMMAND "${prefix}/bin/oclgrind" --aiwc-quiet
              --aiwc-output ${WORK}/${kind}/run ${WORK}/${kind}/pick_device ${WORK}/scale.cl
      RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_VARIABLE output)
    if(NOT status EQUAL 0 OR NOT output MATCHES "\ncorrect\n$")
      message(FATAL_ERROR "pick_device ended with ${status}:\n${output}${errors}")
    endif()
    set(annotated ${WORK}/${kind}/annotated.cl)
    run("${prefix}/bin/aiwc" annotate embed ${WORK}/${kind}/run --into ${WORK}/scale.cl -o ${annotated})
    run("${prefix}/bin/aiwc" annotate lookup --strict --kernel scale --global 4096 --local 64 ${annotated})
    run("${prefix}/bin/aiwc" predict --devices gtx1080 ${annotated})
  endforeach()

  execute_process(COMMAND ${WORK}/cmake/choose ${WORK}/missing.json RESULT_VARIABLE status
                  ERROR_VARIABLE errors)
  if(NOT status EQUAL 2 OR NOT errors MATCHES "^choose: [^\n]*missing.json: [^\n]*\n$")
    message(FATAL_ERROR "choose without a profile ended with ${status}: ${errors}")
  endif()
endif()
