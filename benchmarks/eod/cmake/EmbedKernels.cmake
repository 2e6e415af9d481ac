# embed_kernels(<target> <path>/<name>.cl)
#
# The OpenCL C becomes part of the target, as `kSource` of the generated header <name>_cl.h, so that
# the program runs from any directory.
function(embed_kernels target file)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(kernels ${file} ABSOLUTE)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/generated/${name}_cl.h)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_kernels.cmake)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DKERNELS=${kernels} -DHEADER=${header} -P ${script}
    DEPENDS ${kernels} ${script}
    COMMENT "Embedding ${name}.cl"
    VERBATIM)
  add_custom_target(${target}-kernels DEPENDS ${header})
  if(TARGET generated_sources) # what aiwc's scripts/tidy builds
    add_dependencies(generated_sources ${target}-kernels)
  endif()
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()
