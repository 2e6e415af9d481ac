# Install rules that concern the project as a whole, and the find_package(aiwc) config.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY AIWC_LIBRARIES)
install(TARGETS ${libraries} EXPORT aiwcTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT aiwcTargets NAMESPACE aiwc:: FILE aiwcTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/aiwcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/aiwcConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/aiwcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aiwcConfig.cmake ${PROJECT_BINARY_DIR}/aiwcConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/aiwc)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC)
install(DIRECTORY docs/ TYPE DOC PATTERN "*.md")
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/aiwc)
