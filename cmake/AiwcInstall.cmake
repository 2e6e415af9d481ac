# Install rules that concern the project as a whole.
include(CMakePackageConfigHelpers)

# find_package(aiwc) gives the target aiwc::aiwc, the C API.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc)
install(EXPORT aiwc NAMESPACE aiwc:: FILE aiwcConfig.cmake DESTINATION ${package_folder}
        COMPONENT development)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/aiwcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aiwcConfigVersion.cmake DESTINATION ${package_folder}
        COMPONENT development)

# README.md and the documents keep their relative places, so that the links between them also work
# where they are installed.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
install(DIRECTORY docs examples TYPE DOC OPTIONAL PATTERN man EXCLUDE PATTERN ".git*" EXCLUDE)
install(DIRECTORY benchmarks/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/benchmarks OPTIONAL)
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     apps/README.md benchmarks/eod/README.md compiler/README.md host/README.md
     plugin/README.md src/README.md)
foreach(page IN LISTS pages)
  cmake_path(GET page PARENT_PATH folder)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(DIRECTORY kernels devices/models DESTINATION ${CMAKE_INSTALL_DATADIR}/aiwc COMPONENT data)
foreach(folder IN ITEMS kernels devices models)
  file(RELATIVE_PATH from_documents
    ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/aiwc/${folder})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/document_links)
  file(CREATE_LINK ${from_documents} ${PROJECT_BINARY_DIR}/document_links/${folder} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/document_links/${folder} TYPE DOC)
endforeach()
