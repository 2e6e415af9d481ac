# The symbols that the library exports are the functions that the header declares.
execute_process(COMMAND ${NM} -D --defined-only --without-symbol-versions ${LIBRARY}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ [TBDVWRu] [^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE "^[0-9a-f]+ . " "")
list(SORT symbols)

file(READ ${HEADER} header)
string(REGEX MATCHALL "AIWC_API [^;]*[ *]aiwc_[a-z_]+\\(" functions "${header}")
list(TRANSFORM functions REPLACE ".*[ *](aiwc_[a-z_]+)\\($" "\\1")
list(SORT functions)

list(LENGTH functions count)
if(count LESS 10 OR NOT symbols STREQUAL functions)
  message(FATAL_ERROR "exported: ${symbols}\ndeclared: ${functions}")
endif()
