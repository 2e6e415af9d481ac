# Finds the Oclgrind simulator's library and headers (Debian: liboclgrind-dev).
#   Oclgrind::Oclgrind  the library
#   Oclgrind_VERSION    its version, from the name of the library's file
#   Oclgrind_LLVM_MAJOR the LLVM whose types its interface passes around: what includes its headers
#                       must use this one, and no other that is installed beside it
find_path(Oclgrind_INCLUDE_DIR NAMES oclgrind/Plugin.h)
find_library(Oclgrind_LIBRARY NAMES oclgrind)
if(Oclgrind_LIBRARY)
  file(REAL_PATH ${Oclgrind_LIBRARY} realLibrary)
  cmake_path(GET realLibrary FILENAME libraryName) # a folder may have a version as well
  string(REGEX MATCH "[0-9]+\\.[0-9]+" Oclgrind_VERSION ${libraryName})
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${realLibrary} OUTPUT_VARIABLE dynamicSection)
  string(REGEX MATCH "NEEDED +libLLVM[-.]([0-9]+)?(so.)?([0-9]+)?" unused "${dynamicSection}")
  set(Oclgrind_LLVM_MAJOR ${CMAKE_MATCH_1}${CMAKE_MATCH_3}) # libLLVM-14.so.1 or libLLVM.so.19.1
  if(CMAKE_MATCH_1)
    set(Oclgrind_LLVM_MAJOR ${CMAKE_MATCH_1})
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Oclgrind
  REQUIRED_VARS Oclgrind_LIBRARY Oclgrind_INCLUDE_DIR Oclgrind_LLVM_MAJOR VERSION_VAR Oclgrind_VERSION)
if(Oclgrind_FOUND AND NOT TARGET Oclgrind::Oclgrind)
  add_library(Oclgrind::Oclgrind UNKNOWN IMPORTED)
  set_target_properties(Oclgrind::Oclgrind PROPERTIES
    IMPORTED_LOCATION ${Oclgrind_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Oclgrind_INCLUDE_DIR})
endif()
