# The core as a library for others: find_package(tessera), target tessera::core, includes such as "core/layout/algebra.hpp".
# It needs fmt and nothing else; renderers, kernels and programs are not part of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(tessera_core INTERFACE)
target_link_libraries(tessera_core INTERFACE tessera_lang tessera_diagram tessera_figure)
set_target_properties(tessera_core PROPERTIES EXPORT_NAME core)
add_library(tessera::core ALIAS tessera_core)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(TARGETS tessera_core tessera_base tessera_layout tessera_atom tessera_gemm tessera_lang tessera_diagram tessera_figure
        EXPORT tessera-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(EXPORT tessera-targets NAMESPACE tessera:: DESTINATION ${package_folder} COMPONENT library)
foreach(folder base layout atom gemm lang diagram figure)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/${folder} DESTINATION include/tessera/core COMPONENT library FILES_MATCHING PATTERN "*.hpp")
endforeach()

file(WRITE ${PROJECT_BINARY_DIR}/tessera-config.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(fmt)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/tessera-targets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tessera-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tessera-config.cmake ${PROJECT_BINARY_DIR}/tessera-config-version.cmake DESTINATION ${package_folder}
        COMPONENT library)

foreach(component library programs)  # either may be installed alone, and each is passed on with its licence
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()
