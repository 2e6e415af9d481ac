include(${CMAKE_CURRENT_LIST_DIR}/EmbedKernels.cmake)

# eod_application(<name> SOURCES <files>... [LIBRARIES <targets>...])
#
# The program eod-<name> of the folder <name>/, with the kernels of <name>.cl in it.
function(eod_application name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(eod-${name} ${arg_SOURCES})
  embed_kernels(eod-${name} ${name}.cl)
  target_link_libraries(eod-${name} PRIVATE eod_common eod_build_flags ${arg_LIBRARIES})
  install(TARGETS eod-${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
