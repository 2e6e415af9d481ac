# Writes the public headers in the form in which they are installed: this project's sources include
# "profile/json.h", other programs <aiwc/profile/json.h>. LIST has one line "NAME FILE" per header;
# the headers are written to FOLDER/aiwc/NAME.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER}) # removes headers that are no longer public
file(STRINGS ${LIST} lines)
set(names)
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "" name "${line}")
  list(APPEND names ${name})
endforeach()
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^ ]+) (.*)$" unused "${line}")
  set(name ${CMAKE_MATCH_1})
  set(file "${CMAKE_MATCH_2}")
  file(READ "${file}" text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" included "${include}")
    if(NOT included IN_LIST names)
      message(FATAL_ERROR "${file}: the public header ${name} includes \"${included}\", which is not "
                          "public: expected it in aiwc_public_headers() of its library")
    endif()
    string(REPLACE "${include}" "#include <aiwc/${included}>" text "${text}")
  endforeach()
  file(WRITE "${FOLDER}/aiwc/${name}" "${text}")
endforeach()
