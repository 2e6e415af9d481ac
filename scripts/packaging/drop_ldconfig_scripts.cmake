# cpack runs this when the packages are made. A package with a library in the linker's path has got
# scripts that call ldconfig. Debian's policy wants a trigger in their place, which scripts/packaging/ adds.
cmake_minimum_required(VERSION 3.25)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  if(package MATCHES "/libaiwc(-starpu)?0_[^/]*$")
    set(folder "${CPACK_TEMPORARY_DIRECTORY}/without_scripts")
    file(REMOVE_RECURSE "${folder}")
    execute_process(COMMAND dpkg-deb -R "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm")
    execute_process(COMMAND dpkg-deb --root-owner-group -b "${folder}" "${package}"
                    COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
  endif()
endforeach()
