# Installs into a fresh prefix, characterises a kernel with what was installed there, and reads the
# profile with a program that found the libraries through find_package.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/profiles)
set(prefix "${WORK}/a prefix") # with a space, as users have them
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
foreach(page IN ITEMS man1/aiwc.1 man1/eod.1 man7/oclgrind-aiwc.7)
  if(NOT EXISTS "${prefix}/share/man/${page}")
    message(FATAL_ERROR "${page} was not installed")
  endif()
endforeach()

run("${prefix}/bin/aiwc" devices show gtx1080 --json)
file(READ "${prefix}/share/aiwc/devices/gtx1080.json" device)
if(NOT output STREQUAL device)
  message(FATAL_ERROR "the installed aiwc said of an installed device: ${output}")
endif()

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/consumer "-DCMAKE_PREFIX_PATH=${prefix}"
    -DCMAKE_CXX_COMPILER=${CXX} -G Ninja)
run(${CMAKE_COMMAND} --build ${WORK}/consumer)

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
  run(${WORK}/consumer/consumer ${WORK}/profiles/aiwc_saxpy_0.json)
  if(NOT output MATCHES "^saxpy: [1-9][0-9]* instructions\n$")
    message(FATAL_ERROR "the consumer said: ${output}")
  endif()
endif()
