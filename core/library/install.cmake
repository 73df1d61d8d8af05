# The library as other projects see it, installed or as a part of them: the target tessera::core, and headers that are included as
# <tessera/draw.hpp>. It links the layers and gives away none of their folders: docs/decisions/0016.
include(GNUInstallDirs)
set(public_headers ${PROJECT_BINARY_DIR}/include)
file(GLOB_RECURSE core_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/*.hpp)
add_custom_command(OUTPUT ${public_headers}.written
                   COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR} -DTO=${public_headers} -P ${CMAKE_CURRENT_LIST_DIR}/headers.cmake
                   COMMAND ${CMAKE_COMMAND} -E touch ${public_headers}.written
                   DEPENDS ${core_headers} ${CMAKE_CURRENT_LIST_DIR}/headers.cmake COMMENT "Writing the public headers" VERBATIM)
add_custom_target(tessera_headers ALL DEPENDS ${public_headers}.written)

add_library(tessera_core INTERFACE)
target_include_directories(tessera_core INTERFACE $<BUILD_INTERFACE:${public_headers}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tessera_core INTERFACE cxx_std_20)
target_link_libraries(tessera_core INTERFACE $<LINK_ONLY:tessera_library>)
add_dependencies(tessera_core tessera_headers)
set_target_properties(tessera_core PROPERTIES EXPORT_NAME core)
add_library(tessera::core ALIAS tessera_core)

if(NOT TESSERA_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(TARGETS tessera_core tessera_base tessera_layout tessera_atom tessera_gemm tessera_lang tessera_diagram tessera_render tessera_figure
        tessera_library EXPORT tessera-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(EXPORT tessera-targets NAMESPACE tessera:: DESTINATION ${package_folder} COMPONENT library)
install(DIRECTORY ${public_headers}/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

# The archives call the fmt that they were compiled with, whose names have its major version in them.
string(REGEX MATCH "^[0-9]+" TESSERA_FMT_MAJOR "${fmt_VERSION}")
list(JOIN TESSERA_CAIRO_MODULES " " TESSERA_CAIRO_MODULES_SPACED)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tessera-config.cmake.in ${PROJECT_BINARY_DIR}/tessera-config.cmake
                              INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tessera-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tessera-config.cmake ${PROJECT_BINARY_DIR}/tessera-config-version.cmake DESTINATION ${package_folder}
        COMPONENT library)

foreach(component library programs)  # either may be installed alone, and each is passed on with its licence
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()
# The fonts are in tessera_render.
install(FILES ${PROJECT_SOURCE_DIR}/assets/fonts/OFL.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/fonts COMPONENT library)
