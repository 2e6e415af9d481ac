# Finds the Oclgrind simulator's library and headers (Debian: liboclgrind-dev).
#   Oclgrind::Oclgrind  the library
#   Oclgrind_VERSION    its version, from the name of the library's file
find_path(Oclgrind_INCLUDE_DIR NAMES oclgrind/Plugin.h)
find_library(Oclgrind_LIBRARY NAMES oclgrind)
if(Oclgrind_LIBRARY)
  file(REAL_PATH ${Oclgrind_LIBRARY} realLibrary)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" Oclgrind_VERSION ${realLibrary})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Oclgrind
  REQUIRED_VARS Oclgrind_LIBRARY Oclgrind_INCLUDE_DIR VERSION_VAR Oclgrind_VERSION)
if(Oclgrind_FOUND AND NOT TARGET Oclgrind::Oclgrind)
  add_library(Oclgrind::Oclgrind UNKNOWN IMPORTED)
  set_target_properties(Oclgrind::Oclgrind PROPERTIES
    IMPORTED_LOCATION ${Oclgrind_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Oclgrind_INCLUDE_DIR})
endif()
