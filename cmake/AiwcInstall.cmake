# Install rules that concern the project as a whole, and the find_package(aiwc) config.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY AIWC_LIBRARIES)
list(TRANSFORM libraries PREPEND aiwc_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} EXPORT aiwcTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT aiwcTargets NAMESPACE aiwc:: FILE aiwcTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc COMPONENT development)
list(JOIN libraries " " AIWC_CXX_COMPONENTS)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/aiwcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/aiwcConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/aiwcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aiwcConfig.cmake ${PROJECT_BINARY_DIR}/aiwcConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc COMPONENT development)

# The public headers (aiwc_public_headers), with #include lines changed to work outside of this
# project.
get_property(names GLOBAL PROPERTY AIWC_PUBLIC_HEADERS)
get_property(files GLOBAL PROPERTY AIWC_PUBLIC_HEADER_FILES)
set(list "")
foreach(name file IN ZIP_LISTS names files)
  string(APPEND list "${name} ${file}\n")
endforeach()
set(public ${PROJECT_BINARY_DIR}/public_headers)
file(CONFIGURE OUTPUT ${public}.txt CONTENT "${list}" @ONLY)
add_custom_command(OUTPUT ${public}.stamp
  COMMAND ${CMAKE_COMMAND} -DLIST=${public}.txt -DFOLDER=${public}
          -P ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${public}.stamp
  DEPENDS ${files} ${public}.txt ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
  COMMENT "Public headers" VERBATIM)
add_custom_target(public_headers ALL DEPENDS ${public}.stamp)
install(DIRECTORY ${public}/aiwc TYPE INCLUDE COMPONENT development)

# README.md and the documents keep their relative places, so that the links between them also work
# where they are installed.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
install(DIRECTORY docs examples results TYPE DOC OPTIONAL)
foreach(folder IN ITEMS plugin/engine sparse src/automatch src/embed)
  install(FILES ${folder}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(DIRECTORY kernels models DESTINATION ${CMAKE_INSTALL_DATADIR}/aiwc COMPONENT data)
foreach(folder IN ITEMS kernels devices models)
  file(RELATIVE_PATH from_documents
    ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/aiwc/${folder})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/document_links)
  file(CREATE_LINK ${from_documents} ${PROJECT_BINARY_DIR}/document_links/${folder} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/document_links/${folder} TYPE DOC)
endforeach()
