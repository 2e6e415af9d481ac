# eod_application(<name> SOURCES <files>... [LIBRARIES <targets>...])
#
# The program eod-<name> of the folder <name>/. The OpenCL C of <name>.cl becomes part of the
# program, as `kSource` of the generated header <name>_cl.h, so that it runs from any directory.
function(eod_application name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(kernels ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cl)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/generated/${name}_cl.h)
  set(script ${PROJECT_SOURCE_DIR}/benchmarks/eod/cmake/embed_kernels.cmake)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DKERNELS=${kernels} -DHEADER=${header} -P ${script}
    DEPENDS ${kernels} ${script}
    COMMENT "Embedding ${name}.cl"
    VERBATIM)
  add_executable(eod-${name} ${arg_SOURCES} ${header})
  target_include_directories(eod-${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
  target_link_libraries(eod-${name} PRIVATE eod_common aiwc_build_flags ${arg_LIBRARIES})
  install(TARGETS eod-${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
